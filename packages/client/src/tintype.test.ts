import { afterEach, expect, test, vi } from "vitest";
import { Tintype, TintypeError } from "./node.ts";

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
