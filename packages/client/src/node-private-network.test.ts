import { expect, test, vi } from "vitest";
import { TintypeError } from "./error.ts";
import { requirePrivateNetwork } from "./node-private-network.ts";

const leadingTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address }));

async function outcome(server: string, ...addresses: string[]) {
  const warnings: string[] = [];
  const warn = (sentence: string) => void warnings.push(sentence);
  try {
    await requirePrivateNetwork(server, { warn, lookup: leadingTo(...addresses) });
    return warnings.length === 0 ? "allowed" : "warned";
  } catch (problem) {
    if (problem instanceof TintypeError) return problem.code;
    throw problem;
  }
}

let hosts = 0;
/** One that no test has warned of. */
const newServer = () => `http://nas${hosts++}.lan:3000`;

test.each([
  "10.0.0.1",
  "127.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.9",
  "169.254.7.7",
  "100.64.0.1",
  "100.127.255.254",
  "::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
])("a name that leads to %s may be spoken to in plain http, with a warning", async (address) => {
  expect(await outcome(newServer(), address)).toBe("warned");
});

test.each([
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.169.0.1",
  "203.0.113.9",
  "0.0.0.0",
  "2001:db8::1",
  "fb00::1",
  "fe00::1",
  "fec0::1",
  "fc::1",
  "64:ff9b::a00:1",
  "::ffff:10.0.0.1",
])("a name that leads to %s is refused, and so is one that leads there among others", async (address) => {
  expect(await outcome(newServer(), address)).toBe("invalid-request");
  expect(await outcome(newServer(), "192.168.1.9", address)).toBe("invalid-request");
});

test("an ending that belongs to private networks does not make an address private", async () => {
  for (const ending of ["local", "lan", "home.arpa", "internal"])
    expect(await outcome(`http://nas.${ending}`, "203.0.113.9")).toBe("invalid-request");
});

test("an address in place of a name is judged itself", async () => {
  const judge = (server: string) => requirePrivateNetwork(server, { warn: () => {} }).then(() => "allowed");
  for (const host of ["192.168.1.9", "0xa000001", "[fd00::9]", "[fe80::9]"])
    expect(await judge(`http://${host}:3000`)).toBe("allowed");
  for (const host of ["203.0.113.9", "3405803785", "[2001:db8::9]", "[::ffff:10.0.0.1]"])
    await expect(judge(`http://${host}:3000`)).rejects.toThrow("without encryption. Use https://.");
});

test("https, this computer and a path on a page's own origin are neither looked up nor warned of", async () => {
  const lookup = vi.fn(leadingTo("203.0.113.9"));
  const warn = vi.fn();
  for (const server of [
    "https://a.example",
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://[::1]:1",
    "/base",
    "",
  ])
    await requirePrivateNetwork(server, { warn, lookup });
  expect([lookup.mock.calls, warn.mock.calls]).toEqual([[], []]);
});

test("a server is warned of once, and looked up each time", async () => {
  const server = newServer();
  const warn = vi.fn();
  await Promise.all([1, 2].map(() => requirePrivateNetwork(server, { warn, lookup: leadingTo("10.0.0.1") })));
  expect(warn.mock.calls).toEqual([
    [`Your key and images travel to ${server} unencrypted. Anyone on the network can read them.`],
  ]);
  expect(await outcome(server, "203.0.113.9")).toBe("invalid-request");
});

test("a name without an address is a network error, which can be tried again", async () => {
  const lookup = () => Promise.reject(new Error("getaddrinfo ENOTFOUND nas.lan"));
  await expect(requirePrivateNetwork("http://nas.lan", { lookup })).rejects.toMatchObject({
    code: "network",
    retryable: true,
    message: "http://nas.lan has no known address (getaddrinfo ENOTFOUND nas.lan).",
  });
});

test("a lookup that hangs ends with the call", async () => {
  const abort = new AbortController();
  const reason = new Error("enough");
  const call = requirePrivateNetwork(newServer(), { signal: abort.signal, lookup: () => new Promise(() => {}) });
  abort.abort(reason);
  await expect(call).rejects.toBe(reason);
});
