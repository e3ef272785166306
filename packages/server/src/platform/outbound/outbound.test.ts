import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { DomainError } from "@tintype/contract";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { createAddressRules } from "./address-rules.ts";
import { createOutbound, type OutboundOptions } from "./outbound.ts";

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<{ port: number; calls: () => number }> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    listener(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, calls: () => calls }; // a TCP server has one
}

function outbound(options: Partial<OutboundOptions> = {}) {
  const made = createOutbound({ allow: [], ...options });
  closing.push(() => made.close());
  return made;
}
const get = { method: "GET", maxRedirects: 3 } as const;
const refused = async (url: string, options: Partial<OutboundOptions> = {}, timeoutMs = 5_000) =>
  outbound(options)
    .send(url, { ...get, timeoutMs })
    .then(
      (answer) => `answered ${answer.status}`,
      (problem: unknown) => (problem instanceof DomainError ? `${problem.code}: ${problem.detail}` : String(problem)),
    );
const uniform = `url-refused: ${new DomainError("url-refused").detail}`;

test("each way of writing an address inside is refused with one sentence, and no socket is opened", async () => {
  const { port, calls } = await serve((_request, response) => response.end("secret"));
  const literals = [
    "127.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f000001",
    "127.1",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[::]",
    "[fe80::1]",
    "[fd00::1]",
    "169.254.169.254",
    "10.0.0.1",
    "localhost",
  ];
  for (const host of literals)
    for (const scheme of ["http", "https"])
      expect([host, await refused(`${scheme}://${host}:${port}/`)]).toEqual([host, uniform]);
  expect(calls()).toBe(0);
});

test("a name that resolves inside is refused, also where another of its addresses is public", async () => {
  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1"], []])
    expect(await refused("https://pictures.example/a.jpg", { lookup: async () => addresses })).toBe(uniform);
});

test("a resolver that answers differently the second time is asked once, and its first answer is the one used", async () => {
  const { port } = await serve((_request, response) => response.end("inside"));
  const answers = [["127.0.0.1"], ["127.0.0.2"]];
  let asked = 0;
  const answer = await outbound({ allow: ["127.0.0.1/32"], lookup: async () => answers[asked++] ?? [] }).send(
    `http://rebinding.example:${port}/`,
    get,
  );
  expect([answer.status, String(await buffer(answer.body)), asked]).toEqual([200, "inside", 1]);
});

test("a redirect inward is refused at the hop, and a fourth redirect is refused", async () => {
  const inward = await serve((_request, response) => response.writeHead(302, { location: "http://127.0.0.2/" }).end());
  expect(await refused(`http://127.0.0.1:${inward.port}/`, { allow: ["127.0.0.1/32"] })).toBe(uniform);
  const circle = await serve((_request, response) => response.writeHead(302, { location: "/again" }).end());
  expect(await refused(`http://127.0.0.1:${circle.port}/`, { allow: ["127.0.0.1/32"] })).toBe(
    "url-refused: The URL redirects more than 3 times.",
  );
  expect(circle.calls()).toBe(4);
});

test("three redirects are followed, and a body is never sent to a second address", async () => {
  const { port, calls } = await serve((request, response) => {
    const hop = Number(request.url?.slice(1));
    if (hop < 3) response.writeHead(307, { location: `/${hop + 1}` }).end();
    else response.end("there");
  });
  const made = outbound({ allow: ["127.0.0.0/8"] });
  const answer = await made.send(`http://127.0.0.1:${port}/0`, get);
  expect(String(await buffer(answer.body))).toBe("there");
  const put = await made.send(`http://127.0.0.1:${port}/0`, { method: "PUT", body: Buffer.from("a"), maxRedirects: 3 });
  expect([put.status, calls()]).toEqual([307, 5]);
});

test("public addresses want https and the two ports of the web; user names and other protocols are refused, each in words", async () => {
  const lookup = async () => ["93.184.216.34"];
  for (const [url, sentence] of [
    ["http://pictures.example/", "Enter a URL that starts with https, not with http."],
    ["https://pictures.example:8443/", "URLs can use the ports 443 and 80, not 8443."],
    ["https://user:password@pictures.example/", "Enter a URL without user name and password."],
    ["ftp://pictures.example/", "Enter a URL that starts with https, not with ftp."],
    ["file:///etc/passwd", "Enter a URL that starts with https, not with file."],
    ["data:text/plain,a", "Enter a URL that starts with https, not with data."],
    ["not a url", "This is not a URL. Enter one that starts with https://."],
  ] as const)
    expect([url, await refused(url, { lookup })]).toEqual([url, `url-refused: ${sentence}`]);
});

test("a name that resolves inside, one that resolves nowhere and a port that is closed are told in the same words", async () => {
  const { port } = await serve((_request, response) => response.end("inside"));
  const nowhere = async () => {
    throw new Error("ENOTFOUND");
  };
  for (const scheme of ["http", "https"]) {
    expect(await refused(`${scheme}://a.example:${port}/`, { lookup: async () => ["127.0.0.1"] })).toBe(uniform);
    expect(await refused(`${scheme}://a.example:${port}/`, { lookup: nowhere })).toBe(uniform);
    expect(await refused(`${scheme}://127.0.0.1:1/`, { allow: ["127.0.0.1/32"] })).toBe(uniform);
  }
});

test("a server that never answers, and a body that never ends, are over after the time limit", async () => {
  const silent = await serve(() => {});
  expect(await refused(`http://127.0.0.1:${silent.port}/`, { allow: ["127.0.0.1/32"] }, 200)).toBe(
    `url-unavailable: ${new DomainError("url-unavailable").detail}`,
  );
  const endless = await serve((_request, response) => {
    const drip = setInterval(() => response.write("a"), 20);
    response.on("close", () => clearInterval(drip));
  });
  const { body } = await outbound({ allow: ["127.0.0.1/32"] }).send(`http://127.0.0.1:${endless.port}/`, {
    ...get,
    timeoutMs: 2_000, // in which its head comes on a busy machine too
  });
  await expect(buffer(body)).rejects.toThrow();
});

test("no IPv4 address is judged otherwise inside IPv6, and what is named by the operator alone is reachable inside", () => {
  const rules = createAddressRules([]);
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(rules.isAllowed(`::ffff:${address}`)).toBe(rules.isAllowed(address));
    }),
  );
  fc.assert(
    fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (a, b, c) => {
      for (const address of [`10.${a}.${b}.${c}`, `127.${a}.${b}.${c}`, `192.168.${b}.${c}`])
        expect(rules.isAllowed(address)).toBe(false);
      expect(createAddressRules(["10.0.0.0/8"]).isAllowed(`10.${a}.${b}.${c}`)).toBe(true);
    }),
  );
  expect(() => createAddressRules(["10.0.0.0/40"])).toThrow("10.0.0.0/40 is not a CIDR block");
  expect(rules.isAllowed("93.184.216.34")).toBe(true);
  expect(rules.isAllowed("2606:2800:220:1:248:1893:25c8:1946")).toBe(true);
});
