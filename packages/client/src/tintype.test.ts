import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { Tintype, TintypeError } from "./node.ts";
import { ownCertificate, ownKey } from "./testing/own-certificate.ts";

// What can be tested without a server; test/client has the rest.

const baseUrl = "https://pictures.example";
const picture = () => ({ name: "photo.png", data: new Uint8Array([137, 80, 78, 71]) });

afterEach(() => vi.unstubAllGlobals());

function answering(answer: () => Promise<Response>) {
  const sent = vi.fn(answer);
  vi.stubGlobal("fetch", sent);
  return sent;
}

const caught = async (call: Promise<unknown>): Promise<TintypeError> => {
  const thrown: unknown = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(thrown instanceof TintypeError)) throw new Error("The call threw no TintypeError.", { cause: thrown });
  return thrown;
};

test("a page that answers in the server's place is no answer", async () => {
  const headers = { "content-type": "text/html; charset=utf-8" };
  answering(async () => new Response("<h1>Sign in to the hotel</h1>", { headers }));
  const t = new Tintype({ baseUrl });
  const calls = [
    () => t.usage(),
    () => t.recipes.list(),
    () => t.compress(picture(), { quality: 50 }),
    () => t.jobs.start({ operation: "compress", options: { quality: 50 } }, picture()),
    () => t.jobs.download("job_1"),
    () => t.jobs.events("job_1").next(),
  ];
  for (const call of calls)
    expect(await caught(call())).toMatchObject({ code: "unexpected-answer", status: 200, retryable: false });
});

test("a server that is away is asked so often, and then the call fails", async () => {
  const t = new Tintype({ baseUrl: "http://127.0.0.1:1", retries: 1 });
  expect(await caught(t.jobs.list())).toMatchObject({ code: "network", status: 0, retryable: true });
});

test.each([undefined, null, 5])("%s is no picture, and the sentence says what is one", async (input) => {
  const t = new Tintype({ baseUrl });
  await expect(t.upload(input as unknown as string)).rejects.toThrow("Give a picture as a Blob");
});

test("a key that is empty or undefined is refused, and is no guest's call", async () => {
  const sent = answering(() => Promise.reject(new TypeError("fetch failed")));
  const unset: { key?: string } = { key: process.env["NO_SUCH_VARIABLE"] } as object;
  expect(() => new Tintype(unset)).toThrow("The key is undefined. Give a key, or leave `key` out to call as a guest.");
  expect(() => new Tintype({ key: " " })).toThrow("The key is empty.");
  const late = new Tintype({ key: () => "", baseUrl });
  expect(await caught(late.upload(picture()))).toMatchObject({ code: "unauthorized", retryable: false });
  expect(sent).not.toHaveBeenCalled();
});

test("where no address was given and nothing answers, the call ends at once and names the address that was tried", async () => {
  const sent = answering(() => Promise.reject(new TypeError("fetch failed")));
  const { message, retryable } = await caught(new Tintype().upload(picture()));
  expect([message, retryable]).toEqual([
    "Nothing answers at http://localhost:3000, and no other address was given. Give that of your server as `baseUrl`.",
    false,
  ]);
  expect(sent).toHaveBeenCalledTimes(1);
  const named = new Tintype({ baseUrl, retries: 0 });
  expect((await caught(named.usage())).message).toContain("https://pictures.example cannot be reached");
});

test("a key without an address is refused: it is sent to no server that nobody named", async () => {
  const sent = answering(() => Promise.reject(new TypeError("fetch failed")));
  const named = "Give baseUrl, the address of the server that the key belongs to.";
  expect(() => new Tintype({ key: "tt_live_x" })).toThrow(named);
  expect(() => new Tintype({ key: () => "tt_live_x", baseUrl: undefined })).toThrow(named);
  expect(sent).not.toHaveBeenCalled();
});

test("no call passes the generated client to Request, whose `client` is another thing in Deno", async () => {
  const seen: object[] = [];
  vi.stubGlobal(
    "Request",
    class extends Request {
      constructor(input: string, init: RequestInit) {
        seen.push(init);
        super(input, init);
      }
    },
  );
  const headers = { "content-type": "application/json" };
  answering(async () => new Response('{ "recipes": [], "state": "done" }', { headers }));
  const t = new Tintype({ baseUrl });
  await t.recipes.list();
  await t.jobs.cancel("job_1");
  await t.jobs.start({ operation: "compress", options: { quality: 50 } }, picture());
  expect(seen.map((init) => "client" in init)).toEqual([false, false, false]);
});

test("a refused connection, an unknown host and a certificate of one's own are told apart, with the cause", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo; // a TCP server has one
  closed.close();
  const refused = await caught(new Tintype({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 }).usage());
  expect(refused.message).toBe(
    `http://127.0.0.1:${port} refuses the connection (connect ECONNREFUSED 127.0.0.1:${port}). Nothing listens at that address.`,
  );
  expect(refused).toMatchObject({ code: "network", retryable: true, cause: expect.any(TypeError) });

  const unknown = await caught(new Tintype({ baseUrl: "http://nowhere.invalid", retries: 0 }).usage());
  expect(unknown.message).toMatch(/^http:[/][/]nowhere[.]invalid has no known address [(].*nowhere[.]invalid[)][.]$/);

  const own = createTlsServer({ key: ownKey, cert: ownCertificate }).listen(0, "127.0.0.1");
  await once(own, "listening");
  try {
    const origin = `https://localhost:${(own.address() as AddressInfo).port}`;
    const t = new Tintype({ baseUrl: origin });
    for (const call of [() => t.usage(), () => t.upload(picture()), () => t.jobs.events("job_1").next()])
      expect(await caught(call())).toMatchObject({
        code: "network",
        retryable: false,
        message: expect.stringMatching(
          /^https:[/][/]localhost:\d+ has a certificate of an unknown authority [(]DEPTH_ZERO_SELF_SIGNED_CERT: .*[)][.] .* NODE_EXTRA_CA_CERTS[.]$/,
        ),
      });
  } finally {
    own.close();
  }
});

test("Deno's words for the same are understood", async () => {
  const say = async (text: string) => {
    answering(() => Promise.reject(new TypeError("fetch failed", { cause: new Error(text) })));
    return (await caught(new Tintype({ baseUrl, retries: 0 }).usage())).message;
  };
  expect(await say("client error (Connect): invalid peer certificate: UnknownIssuer")).toContain("NODE_EXTRA_CA_CERTS");
  expect(await say("client error (Connect): invalid peer certificate: Expired")).toContain("is not valid");
  expect(await say("client error (Connect): tcp connect error: Connection refused (os error 111)")).toContain(
    "refuses",
  );
  expect(await say("dns error: failed to lookup address information")).toContain("has no known address");
});

test("a public server gets no key and no picture in plain http, and a private one with one warning of the process", async () => {
  const sent = answering(async () =>
    Response.json({ code: "not-found", detail: "No.", retryable: false }, { status: 404 }),
  );
  const open = new Tintype({ key: "tt_live_0", baseUrl: "http://203.0.113.9" });
  for (const call of [() => open.compress(picture(), { quality: 60 }), () => open.usage()])
    expect(await caught(call())).toMatchObject({
      code: "invalid-request",
      retryable: false,
      message: "http://203.0.113.9 would receive your key and images without encryption. Use https://.",
    });
  expect(sent).not.toHaveBeenCalled();
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on("warning", hear);
  for (let i = 0; i < 2; i++)
    expect((await caught(new Tintype({ baseUrl: "http://10.0.0.9" }).usage())).code).toBe("not-found");
  process.off("warning", hear);
  expect(warnings).toEqual([expect.stringContaining("travel to http://10.0.0.9 unencrypted")]);
});
