import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

test("the networks around an address are its own and those of its blocks, with wider bounds", () => {
  expect(networksAround("requests:network:v6.A.B.C:free")).toEqual([
    { key: "requests:network:v6.A.B.C:free", share: 1 },
    { key: "requests:network:v6.A.B:free", share: 4 },
    { key: "requests:network:v6.A:free", share: 16 },
  ]);
  expect(networksAround("network:abc")).toEqual([{ key: "network:abc", share: 1 }]);
  expect(networksAround("api-key:key_1")).toEqual([{ key: "api-key:key_1", share: 1 }]);
});

/** Our own sources, without tests. */
const sources = globSync("**/*.ts", { cwd: join(import.meta.dirname, "..") })
  .filter((path) => !path.endsWith(".test.ts") && !path.startsWith("testing/"))
  .map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(join(import.meta.dirname, "..", path), "utf8"),
  }));
const pathsWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text.replace(/^\s*(\/?\*|\/\/).*$/gm, "")))
    .map(({ path }) => path)
    .sort();

test("nothing is counted by a single network alone: every key comes from networkKey, and every comparison sees wider networks", () => {
  // An address becomes a key here, and is used for nothing else but the country and the log of proxies.
  expect(pathsWith(/createHmac\([^)]*networks|networkOf\(address: string\): string \{/)).toEqual([
    "platform/network.ts",
  ]);
  expect(pathsWith(/\bnetworkKey\(/)).toEqual([
    "composition/api.ts",
    "composition/worker-http.ts",
    "features/accounts/authenticate.ts",
    "features/accounts/guest.ts",
    "features/accounts/identity-provider.ts",
    "platform/network.ts",
  ]);
  // Rate limits see wider networks once they are wrapped, which composition does.
  expect(pathsWith(/\bcreate(Memory|Redis)RateLimits\(/)).toEqual([
    "composition/links.ts",
    "composition/worker-http.ts",
    "platform/rate-limits/memory.ts",
    "platform/rate-limits/redis.ts",
  ]);
  expect(pathsWith(/countWiderNetworks\((links[.]rateLimits|createMemoryRateLimits)\b/)).toEqual([
    "composition/links.ts",
    "composition/worker-http.ts",
  ]);
  // In SQL, columns with networks are compared by isInNetwork and widestNetwork. The ledger's sums for one counter are no limits.
  expect(
    pathsWith(/(?<!const )\bnetwork (=|<>|in|like|any)\s|\bnetwork is (not )?distinct|eq\(\w+[.]network\b/),
  ).toEqual(["features/credits/counter.ts"]);
});
