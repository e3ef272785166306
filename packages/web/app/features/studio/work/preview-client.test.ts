import { ApiProblem } from "@tintype/contract/api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPreviewClient, isRefusal, type PreviewRequest } from "./preview-client.ts";
import type { StudioParts } from "./studio-parts.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Asked = {
  form: FormData;
  signal: AbortSignal | undefined;
  answer(response: Response): void;
  fail(problem: Error): void;
};

/** A server whose responses the test supplies. */
function server() {
  const caller: { id?: string } = {};
  const asked: Asked[] = [];
  const open = (_: string, { form, signal }: { form: FormData; signal?: AbortSignal }) =>
    new Promise<Response>((answer, fail) => {
      signal?.addEventListener("abort", () => fail(signal.reason));
      asked.push({ form, signal, answer, fail });
    });
  const store = { read: () => ({ caller }) };
  const { fetchPreview } = createPreviewClient({ api: { open }, store } as unknown as StudioParts); // the preview client uses only these
  return { asked, fetchPreview, caller };
}

const file = new File(["picture"], "a.jpg");
const request: PreviewRequest = {
  operation: "compress",
  options: { quality: "60" },
  steps: [{ turn: { degrees: 90 } }],
  isWhole: true,
};
const kept = () => new Response("", { headers: { "x-job": "job_1" } });
const shown = () =>
  new Response("part", { headers: { "x-preview": '{"left":0,"top":0,"width":4,"height":3,"size_bytes":9}' } });
const settled = () => vi.advanceTimersByTimeAsync(0);

test("a picture is sent once, and each preview of it names its steps", async () => {
  const { asked, fetchPreview } = server();
  const first = fetchPreview(file, request, new AbortController().signal);
  asked[0]?.answer(kept());
  await settled();
  expect(JSON.parse(String(asked[1]?.form.get("steps")))).toEqual([{ turn: { degrees: 90 } }]);
  asked[1]?.answer(shown());
  expect(await first).toMatchObject({ isWhole: true, width: 4, sizeBytes: 9 });
  void fetchPreview(file, request, new AbortController().signal).catch(() => undefined);
  await settled();
  expect(asked).toHaveLength(3);
  expect(asked[2]?.form.get("of")).toBe("job_1");
});

test("an upload goes on while a setting changes, and is given up where nobody waits for it any more", async () => {
  const { asked, fetchPreview } = server();
  const leave = async () => {
    const abort = new AbortController();
    void fetchPreview(file, request, abort.signal).catch(() => undefined);
    await settled();
    abort.abort();
  };
  await leave();
  await vi.advanceTimersByTimeAsync(1000);
  await leave();
  await vi.advanceTimersByTimeAsync(1500);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked[0]?.signal?.aborted).toBe(true);
  void fetchPreview(file, request, new AbortController().signal).catch(() => undefined);
  await settled();
  expect(asked).toHaveLength(2);
});

test("after a 429 nothing is asked until the server takes more", async () => {
  const { asked, fetchPreview } = server();
  const problem = new ApiProblem({ status: 429, detail: "Please try again later.", retryAfterSeconds: 60 });
  const refused = expect(fetchPreview(file, request, new AbortController().signal)).rejects.toBe(problem);
  asked[0]?.fail(problem);
  await refused;
  await vi.advanceTimersByTimeAsync(59_000);
  await expect(fetchPreview(file, request, new AbortController().signal)).rejects.toMatchObject({
    status: 429,
    detail: "Please try again later.",
    retryAfterSeconds: 1,
  });
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  void fetchPreview(file, request, new AbortController().signal).catch(() => undefined);
  await settled();
  expect(asked).toHaveLength(2);
});

test("a pause ends where somebody signs in", async () => {
  const { asked, fetchPreview, caller } = server();
  const problem = new ApiProblem({ status: 429, detail: "Please try again later.", retryAfterSeconds: 86_400 });
  const refused = expect(fetchPreview(file, request, new AbortController().signal)).rejects.toBe(problem);
  asked[0]?.fail(problem);
  await refused;
  caller.id = "person";
  void fetchPreview(file, request, new AbortController().signal).catch(() => undefined);
  await settled();
  expect(asked).toHaveLength(2);
});

test("a preview that is given up at once sends nothing", async () => {
  const { asked, fetchPreview } = server();
  await expect(fetchPreview(file, request, AbortSignal.abort())).rejects.toThrow();
  expect(asked).toHaveLength(0);
});

test.each([
  [422, true],
  [413, true],
  [410, false],
  [429, false],
  [500, false],
])("a %i is a refusal for good: %s", (status, isFinal) => {
  expect(isRefusal(new ApiProblem({ status, detail: "No." }))).toBe(isFinal);
});
