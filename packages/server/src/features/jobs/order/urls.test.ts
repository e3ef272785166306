import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Job } from "@tintype/contract";
import type { JobList } from "@tintype/contract/schemas";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { jobBlobs, jobOutputs } from "../tables.ts";

type Received = { path: string; type: string | undefined; length: string | undefined; bytes: Buffer };
const png = samplePng(30, 20);
const asked: string[] = [];
const received: Received[] = [];
/** The response statuses for PUTs. The last one repeats. */
let answers = [200];

/** A third party's picture store, on this machine. */
const store = createServer((request, response) => void serve(request, response));
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "";
  asked.push(path);
  if (request.method === "PUT") {
    const { "content-type": type, "content-length": length } = request.headers;
    received.push({ path, type, length, bytes: await buffer(request) });
    const status = answers.length > 1 ? answers.shift() : answers[0];
    return void response.writeHead(status ?? 200, status === 302 ? { location: "/elsewhere" } : {}).end();
  }
  // Simulates a sweep that takes the process for dead.
  if (path === "/photo-that-comes-late.png") await app.db.delete(jobBlobs);
  if (path === "/photo-that-comes-last.png") await app.db.update(jobBlobs).set({ removingUntil: new Date(2100, 0) });
  if (path.startsWith("/photo")) return void response.end(png);
  if (path === "/moved") return void response.writeHead(302, { location: "/photo.png" }).end();
  if (path === "/inward") return void response.writeHead(302, { location: "http://127.0.0.2:1/photo.png" }).end();
  if (path === "/text") return void response.end("no picture");
  if (path === "/announced") return void response.writeHead(200, { "content-length": 900_000_000 }).write("a");
  if (path === "/busy") return void response.writeHead(503).end();
  if (path === "/broken-off") {
    response.writeHead(200, { "content-length": 90_000 }).write("a");
    return void setTimeout(() => response.destroy(), 50);
  }
  if (path !== "/endless") return void response.writeHead(404).end();
  const more = () => {
    while (response.write(Buffer.alloc(65_536)));
  };
  response.on("drain", more);
  more();
}

let app: TestApp;
let off: TestApp;
let origin: string;
const clock = heldClock();
beforeAll(async () => {
  await new Promise<void>((done) => void store.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`; // a TCP server has one
  app = await startTestApp({
    clock,
    environment: { TINTYPE_URL_INPUT: "on", TINTYPE_URL_ALLOW: "127.0.0.1/32", TINTYPE_SPOOL_MB: "200" },
  });
  off = await startTestApp();
});
afterAll(async () => {
  await app.close();
  await off.close();
  store.closeAllConnections();
  await new Promise((done) => store.close(done));
});
beforeEach(() => {
  asked.length = 0;
  received.length = 0;
  answers = [200];
});

function form(urls: readonly string[], more: Record<string, string> = {}, files: readonly string[] = []): FormData {
  const made = new FormData();
  for (const url of urls) made.append("image_url", url.startsWith("/") ? origin + url : url);
  for (const [name, value] of Object.entries({ quality: "60", ...more })) made.append(name, value);
  for (const name of files) made.append("files", new Blob([new Uint8Array(png)]), name);
  return made;
}
const compress = (caller: TestCaller, body: FormData, headers: Record<string, string> = {}) =>
  caller.call("/api/compress/", { form: body, headers });
const problemOf = async (answer: Response) => {
  const { code, field, detail } = (await answer.json()) as { code: string; field?: string; detail: string };
  return { status: answer.status, code, field, detail };
};
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
const refused = { status: 422, code: "url-refused", field: "image_url" };

// product: urls-guarded
test("a picture comes from its address, keeps the name in it, and costs a credit", async () => {
  const person = await app.person();
  const answer = await compress(person, form(["/photo%20one.png?signature=secret"]));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toContain("photo one.png");
  expect((await answer.bytes()).subarray(1, 4)).toEqual(new Uint8Array(Buffer.from("PNG")));
  expect(await used(person)).toBe(1);
  expect((await compress(person, form(["/moved"]))).status).toBe(200);
});

test("an upload by address answers with the picture itself at no cost, and the configuration says whether it may", async () => {
  const person = await app.person();
  const upload = new FormData();
  upload.append("image_url", `${origin}/photo.png`);
  const answer = await person.call("/api/upload", { form: upload });
  expect(answer.status).toBe(200);
  expect((await answer.bytes()).subarray(1, 4)).toEqual(new Uint8Array(Buffer.from("PNG")));
  expect(await used(person)).toBe(0);
  upload.append("output_url", `${origin}/put`);
  expect((await person.call("/api/upload", { form: upload })).status).toBe(400);
  for (const [one, isOn] of [
    [app, true],
    [off, false],
  ] as const)
    expect(await (await (await one.person()).call("/api/config")).json()).toMatchObject({ url_input: isOn });
});

test("addresses and files make one batch, and an address that fails spoils nothing and costs nothing", async () => {
  const person = await app.person();
  const answer = await compress(person, form(["/photo.png", "/missing", "/text"], {}, ["mine.png"]));
  const names = Object.keys(unzipSync(await answer.bytes()));
  expect(names.sort()).toEqual(["mine.png", "photo.png", "report.json"]);
  expect(await used(person)).toBe(2);
});

test("whatever tells of a network inside is said in the same words", async () => {
  const person = await app.person();
  const urls = ["/inward", "http://127.0.0.3/a.png", "http://10.0.0.1/", "https://localhost:1/", "http://127.0.0.1:1/"];
  const reported = await Promise.all(urls.map(async (url) => problemOf(await compress(person, form([url])))));
  for (const one of reported) expect(one).toEqual({ ...refused, detail: reported[0]?.detail });
  expect(await used(person)).toBe(0);
});

test("a picture that is not there, a server that is busy or breaks off, and a wrong scheme are told apart", async () => {
  const person = await app.person();
  const problem = async (url: string) => (await compress(person, form([url]))).json();
  const common = { status: 422, field: "image_url" };
  expect(await problem("/missing")).toMatchObject({
    ...common,
    code: "url-refused",
    retryable: false,
    detail: "The URL returned status 404 without an image.",
  });
  expect(await problem("/busy")).toMatchObject({
    ...common,
    code: "url-unavailable",
    retryable: true,
    detail: "The URL returned status 503 without an image.",
  });
  expect(await problem("/broken-off")).toMatchObject({
    ...common,
    code: "url-unavailable",
    retryable: true,
    detail: "The URL stopped sending in the middle of the image. Please try again.",
  });
  for (const [url, detail] of [
    ["ftp://pictures.example/a.png", "Enter a URL that starts with https, not with ftp."],
    ["nonsense", "This is not a URL. Enter one that starts with https://."],
  ] as const)
    expect(await problem(url)).toMatchObject({ ...common, code: "url-refused", retryable: false, detail });
  expect(await used(person)).toBe(0);
});

test("with addresses off each field has its own sentence, and webhooks have a switch of their own", async () => {
  const person = await off.person();
  for (const [field, value] of [
    ["image_url", `${origin}/photo.png`],
    ["output_url", `${origin}/put`],
    ["webhook_url", `${origin}/told`],
  ] as const) {
    const made = form([], {}, ["a.png"]);
    made.append(field, value);
    const reported = await problemOf(await compress(person, made, { prefer: "respond-async" }));
    expect(reported).toMatchObject({ status: 400, code: "invalid-request", field });
    expect(reported.detail).toMatch({ image_url: /files/, output_url: /the response/, webhook_url: /events/ }[field]);
  }
  const fetches = await startTestApp({ environment: { TINTYPE_URL_INPUT: "on", TINTYPE_WEBHOOKS: "off" } });
  const withWebhooks = await startTestApp({ environment: { TINTYPE_WEBHOOKS: "on" } });
  try {
    for (const [one, isOn] of [
      [fetches, false],
      [withWebhooks, true],
    ] as const) {
      const caller = await one.person();
      expect(await (await caller.call("/api/config")).json()).toMatchObject({ url_input: !isOn, webhooks: isOn });
      const made = await caller.call("/api/webhooks", { json: { url: "https://shop.example/told" } });
      expect(made.status).toBe(isOn ? 201 : 400);
      const asked = form([], { webhook_url: "https://shop.example/told" }, ["a.png"]);
      expect((await compress(caller, asked, { prefer: "respond-async" })).status).toBe(isOn ? 202 : 400);
      expect((await compress(caller, form([`${origin}/photo.png`]))).status).toBe(isOn ? 400 : 422);
    }
  } finally {
    await Promise.all([fetches.close(), withWebhooks.close()]);
  }
});

test("a body that is too large, announced or endless, is cut off at the plan's limit", async () => {
  const person = await app.person();
  for (const path of ["/announced", "/endless"])
    expect(await problemOf(await compress(person, form([path])))).toMatchObject({ status: 413, code: "too-large" });
  await expect.poll(() => app.db.select().from(jobBlobs)).toEqual([]);
  expect(await used(person)).toBe(0);
});

test.each([
  { title: "was removed", path: "/photo-that-comes-late.png" },
  { title: "is being removed", path: "/photo-that-comes-last.png" },
])("an upload that $title under its fetching is told to come again", async ({ path }) => {
  const person = await app.person();
  const answer = await compress(person, form([path]));
  expect(await problemOf(answer)).toMatchObject({ status: 503, code: "interrupted" });
  expect(await used(person)).toBe(0);
});

test("nothing is fetched for a caller who cannot pay for all of it, or who had many fetched within a minute", async () => {
  const guest = app.caller();
  expect((await guest.call("/api/service-use-multiple", { json: { file_count: 3 } })).status).toBe(200);
  const reserved = await compress(guest, form(["/photo1.png", "/photo2.png", "/photo3.png"]));
  expect(reserved.status).toBe(200);
  asked.length = 0;
  expect(await problemOf(await compress(guest, form(["/photo1.png", "/photo2.png", "/photo3.png"])))).toMatchObject({
    status: 403,
    code: "out-of-credits",
  });
  expect(asked).toEqual([]);
  // Ten a minute for all guests of a network: three were fetched, and none of the next five is a picture.
  expect((await compress(app.caller(), form(Array<string>(5).fill("/text")))).status).toBe(422);
  asked.length = 0;
  expect((await compress(app.caller(), form(Array<string>(5).fill("/text")))).status).toBe(429);
  expect(asked).toEqual([]);
});

test("too many pictures in one batch are refused before any is fetched", async () => {
  const person = await app.person();
  const answer = await compress(person, form(Array<string>(20).fill("/photo.png"), {}, ["mine.png"]));
  expect(await problemOf(answer)).toMatchObject({ status: 413, code: "too-many-files" });
  expect((await compress(person, form(Array<string>(21).fill("/photo.png")))).status).toBe(413);
  expect(asked).toEqual([]);
});

test("a repeat under a key is free only while the picture at the address is the same", async () => {
  const person = await app.person();
  const key = { "idempotency-key": "by-url" };
  for (let i = 0; i < 2; i++) expect((await compress(person, form(["/photo.png"]), key)).status).toBe(200);
  expect(await used(person)).toBe(1);
  const other = await compress(person, form(["/text"]), key);
  expect(other.status).not.toBe(200);
});

test("the result goes to output_url by PUT, whole and with its length, and the answer has no body", async () => {
  const person = await app.person();
  const single = await compress(person, form(["/photo.png"], { output_url: `${origin}/put/one?signature=a` }));
  expect([single.status, await single.text()]).toEqual([204, ""]);
  expect(single.headers.get("x-credits-charged")).toBe("1");
  expect(JSON.parse(single.headers.get("x-report") ?? "")).toMatchObject({ outcome: "done", width: 30 });
  const batch = await compress(person, form(["/photo.png"], { output_url: `${origin}/put/two` }, ["mine.png"]));
  expect(batch.status).toBe(204);
  expect(received.map(({ path, type }) => [path, type])).toEqual([
    ["/put/one?signature=a", "image/png"],
    ["/put/two", "application/zip"],
  ]);
  for (const { length, bytes } of received) expect(Number(length)).toBe(bytes.length);
  expect(Object.keys(unzipSync(new Uint8Array(received[1]?.bytes ?? []))).sort()).toEqual([
    "mine.png",
    "photo.png",
    "report.json",
  ]);
  await expect.poll(() => app.db.select().from(jobBlobs)).toEqual([]);
});

test("an address that cannot be reached costs nothing", async () => {
  const person = await app.person();
  for (const url of ["http://10.0.0.1/put", "http://127.0.0.1:1/put", "https://127.0.0.1:1/put"]) {
    const sent = await compress(person, form(["/photo.png"], { output_url: url }));
    expect(await problemOf(sent)).toMatchObject({ status: 422, code: "url-refused", field: "output_url" });
    expect(sent.headers.get("x-credits-charged")).toBe("0");
    expect(sent.headers.get("x-credits-remaining")).toBe("100");
    expect(await used(person)).toBe(0);
    expect(sent.headers.get("location")).toBeNull();
  }
  expect(received).toEqual([]);
  const { jobs } = (await (await person.call("/api/jobs?size=1")).json()) as JobList;
  expect(jobs).toMatchObject([{ state: "failed", files: [{ code: "url-refused" }] }]);
  const later = await person.call(`/api/jobs/${jobs[0]?.id}/result`);
  expect(await problemOf(later)).toMatchObject({ status: 422, code: "url-refused", field: "output_url" });
});

test("an address that was sent the result has it, whatever it says: the credit stays, and the result can be fetched", async () => {
  const person = await app.person();
  for (const status of [403, 302, 500]) {
    answers = [status];
    const sent = await compress(person, form(["/photo.png"], { output_url: `${origin}/put` }));
    expect(await problemOf(sent)).toMatchObject({ status: 422, code: "url-refused", field: "output_url" });
    const result = await person.call(`${sent.headers.get("location")}/result`);
    expect(Buffer.from(await result.arrayBuffer())).toEqual(received.at(-1)?.bytes);
  }
  await app.sweep();
  expect(await used(person)).toBe(3);
  expect(received.map(({ path }) => path)).toEqual(["/put", "/put", "/put"]);
});

test("an address that stalls until the result is fetched by the job's id, and then refuses it, does not make it free", async () => {
  const person = await app.person();
  const held: Socket[] = [];
  const stalling = createTcpServer((socket) => void held.push(socket.on("error", () => {}).resume()));
  await new Promise<void>((done) => void stalling.listen(0, "127.0.0.1", done));
  try {
    const { port } = stalling.address() as AddressInfo; // a TCP server has one
    const sent = compress(person, form(["/photo.png"], { output_url: `https://127.0.0.1:${port}/put` }));
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const { jobs } = (await (await person.call("/api/jobs?size=1")).json()) as JobList;
    const result = await person.call(`/api/jobs/${jobs[0]?.id}/files/0`);
    expect((await result.arrayBuffer()).byteLength).toBeGreaterThan(0);
    for (const socket of held) socket.destroy();
    const answer = await sent;
    expect(await problemOf(answer)).toMatchObject({ status: 422, code: "url-refused", field: "output_url" });
    expect(answer.headers.get("x-credits-charged")).toBe("1");
  } finally {
    for (const socket of held) socket.destroy();
    await new Promise((done) => stalling.close(done));
  }
  await app.sweep();
  expect(await used(person)).toBe(1);
});

test("an output_url that is no address is refused before any work, also where the job is not waited for", async () => {
  const person = await app.person();
  for (const url of ["nonsense", "/put", "ftp://store.example/put", "https://", "https://ann:secret@store.example/put"])
    for (const headers of [{}, { prefer: "respond-async" }])
      expect(await problemOf(await compress(person, form([], { output_url: url }, ["a.png"]), headers))).toMatchObject({
        status: 400,
        code: "invalid-request",
        field: "output_url",
        detail: expect.stringMatching(/^Enter a URL /),
      });
  expect(await used(person)).toBe(0);
  expect(await (await person.call("/api/jobs")).json()).toMatchObject({ jobs: [] });
});

test("under an Idempotency-Key too a result that could not be sent costs nothing, until a repeat is sent", async () => {
  const person = await app.person();
  const nowhere = "http://127.0.0.1:1/put";
  for (const [url, status, charged] of [
    [nowhere, 422, 0],
    [nowhere, 422, 0],
    [`${origin}/put`, 204, 1],
    [`${origin}/put`, 204, 0],
  ] as const) {
    const answer = await compress(person, form([], { output_url: url }, ["a.png"]), {
      "idempotency-key": "sent-in-the-end",
    });
    expect([answer.status, Number(answer.headers.get("x-credits-charged"))]).toEqual([status, charged]);
    expect(await used(person)).toBe(status === 204 ? 1 : 0);
  }
});

test("the result of a job that is not waited for is sent by itself, and tried again where the address fails", async () => {
  const person = await app.person();
  answers = [503, 500, 200];
  const begun = await compress(person, form(["/photo.png"], { output_url: `${origin}/put/later` }), {
    prefer: "respond-async",
  });
  expect(begun.status).toBe(202);
  const place = begun.headers.get("location") ?? "";
  const view = async () => (await (await person.call(place)).json()) as Job;
  expect((await view()).output).toBe("waiting");
  await expect.poll(() => received.length).toBe(1);
  for (const [pauseMs, puts] of [
    [5_000, 2],
    [30_000, 3],
  ] as const) {
    await app.sweep();
    expect(received).toHaveLength(puts - 1);
    clock.advance(pauseMs);
    await app.sweep();
    expect(received).toHaveLength(puts);
  }
  expect(await view()).toMatchObject({ state: "done", output: "sent", files: [{ delivered: true }] });
  // The address may have contained a signature.
  expect(await app.db.select().from(jobOutputs)).toMatchObject([{ url: "", state: "sent" }]);
});

test("a caller that waits for a while is answered with the job, whose result goes out by itself, once", async () => {
  const person = await app.person();
  const answer = await compress(person, form(["/photo.png"], { output_url: `${origin}/put/wait` }), {
    prefer: "wait=30",
  });
  expect(answer.status).toBe(202);
  const place = answer.headers.get("location") ?? "";
  await expect.poll(async () => ((await (await person.call(place)).json()) as Job).output).toBe("sent");
  expect(received.map(({ path }) => path)).toEqual(["/put/wait"]);
});

test("an address that never takes the result is given up, and the result can still be fetched", async () => {
  const person = await app.person();
  answers = [500];
  const begun = await compress(person, form(["/photo.png"], { output_url: `${origin}/put/never` }), {
    prefer: "respond-async",
  });
  const place = begun.headers.get("location") ?? "";
  await expect.poll(() => received.length).toBe(1);
  for (const pauseMs of [5_000, 30_000, 120_000]) {
    await app.sweep();
    clock.advance(pauseMs);
    await app.sweep();
  }
  expect(received).toHaveLength(4);
  expect(await (await person.call(place)).json()).toMatchObject({ output: "failed" });
  expect((await person.call(`${place}/result`)).status).toBe(200);
});

test("addresses are refused where the operator does not allow them, and by calls that cost nothing", async () => {
  const person = await off.person();
  for (const [body, field] of [
    [form(["/photo.png"]), "image_url"],
    [form([], { output_url: `${origin}/put` }, ["a.png"]), "output_url"],
  ] as const)
    expect(await problemOf(await compress(person, body))).toMatchObject({
      status: 400,
      code: "invalid-request",
      field,
    });
  const free = await (await app.person()).call("/api/preview/", { form: form(["/photo.png"]) });
  expect(await problemOf(free)).toMatchObject({ status: 400, field: "image_url" });
  expect(asked).toEqual([]);
});

test("a block of addresses that is none stops the server", async () => {
  const environment = { TINTYPE_URL_INPUT: "on", TINTYPE_URL_ALLOW: "10.0.0.0/8, 10.0.0.0/99" };
  await expect(startTestApp({ environment })).rejects.toThrow("TINTYPE_URL_ALLOW: 10.0.0.0/99 is not a CIDR block");
});
