import { expect, test } from "vitest";
import { networkKey, networkOf } from "./network.ts";

test("an IPv4 address is a network of its own, also when written as IPv6", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  expect(networkOf("::ffff:203.0.113.7")).toBe("203.0.113.7");
});

test("IPv6 addresses of one /64 are one network, however they are written", () => {
  const same = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::", "2001:0db8:0001:0002:0:0:0:9", "2001:db8:1:2:a:b:c:d%eth0"];
  expect(new Set(same.map(networkOf))).toEqual(new Set(["2001:db8:1:2::/64"]));
  expect(networkOf("2001:db8:1:3::1")).not.toBe(networkOf("2001:db8:1:2::1"));
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
});

test("the key tells nothing without the secret", () => {
  expect(networkKey("203.0.113.7", "a".repeat(32))).not.toBe(networkKey("203.0.113.7", "b".repeat(32)));
  expect(networkKey("203.0.113.7", "a".repeat(32))).not.toContain("203");
});
