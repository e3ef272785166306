import { expect, test } from "vitest";
import { networkKey, networkOf, networksAround } from "./network.ts";

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

test("the key of an IPv6 address begins with those of the blocks around it", () => {
  const key = (address: string) => networkKey(address, "a".repeat(32));
  const parts = key("2001:db8:1:2ff::1").replace("network:v6.", "").split(".");
  expect(parts).toHaveLength(3);
  const alike = (address: string) =>
    key(address)
      .replace("network:v6.", "")
      .split(".")
      .map((part, index) => part === parts[index]);
  expect(alike("2001:db8:1:2ff:9::")).toEqual([true, true, true]);
  expect(alike("2001:db8:1:200::1")).toEqual([true, true, false]);
  expect(alike("2001:db8:1:300::1")).toEqual([true, false, false]);
  expect(alike("2001:db8:2:2ff::1")).toEqual([false, false, false]);
  expect(key("203.0.113.7")).toMatch(/^network:[\w-]{32}$/);
});

test("the networks around one are those of its blocks, with wider bounds", () => {
  expect(networksAround("requests:network:v6.A.B.C:free")).toEqual([
    { key: "requests:network:v6.A.B:free", share: 4 },
    { key: "requests:network:v6.A:free", share: 16 },
  ]);
  expect(networksAround("network:abc")).toEqual([]);
  expect(networksAround("api-key:key_1")).toEqual([]);
});
