import { readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { jobFiles } from "../tables.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const sample = (name: string, seed = 0) => ({ name, bytes: samplePng(48, 32, seed) });
async function start(person: TestCaller, files: { name: string; bytes: Uint8Array }[], task = "compress") {
  const fields = task === "compress" ? { quality: "60" } : { target_format: "png" };
  const answer = await person.run(task, files, fields, { prefer: "respond-async" });
  expect(answer.status).toBe(202);
  return answer.headers.get("location") ?? "";
}
async function finish(person: TestCaller, files: { name: string; bytes: Uint8Array }[], task = "compress") {
  const path = await start(person, files, task);
  await (await person.call(`${path}/events`)).text(); // the stream ends with the job
  return path;
}
const idOf = (path: string) => path.split("/").at(-1) ?? "";
const deliveries = async (path: string) =>
  (
    await app.db
      .select()
      .from(jobFiles)
      .where(eq(jobFiles.jobId, idOf(path)))
  ).map(({ delivery }) => delivery);
const isKept = (path: string) => readdirSync(join(app.dataFolder, "spool")).includes(idOf(path));
const used = async (person: TestCaller) =>
  ((await (await person.call("/api/user-info")).json()) as { service_count: number }).service_count;
const part = async (person: TestCaller, path: string, range: string, headers: Record<string, string> = {}) => {
  const answer = await person.call(path, { headers: { range, ...headers } });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};
/** What HEAD and GET have in common. `date` and the limits of requests differ. */
const comparable = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !/^(date|x-request-id|.*ratelimit.*|connection|keep-alive)$/.test(name)),
  );

test.each([
  { what: "a picture", files: [sample("a.png")], tails: ["/files/0", "/result"], ranges: "bytes" },
  { what: "a ZIP", files: [sample("a.png"), sample("b.png", 1)], tails: ["/result"], ranges: "none" },
])("HEAD of $what has the headers of GET, and is no delivery", async ({ files, tails, ranges }) => {
  const person = await app.person();
  const path = await finish(person, files);
  for (const tail of tails)
    for (let time = 0; time < 2; time++) {
      const head = await person.call(path + tail, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect(await deliveries(path)).toEqual(files.map(() => "none"));
    }
  const tail = tails[0] ?? "";
  const head = await person.call(path + tail, { method: "HEAD" });
  const answer = await person.call(path + tail);
  expect(comparable(head.headers)).toEqual(comparable(answer.headers));
  expect(answer.headers.get("accept-ranges")).toBe(ranges);
  expect((await answer.arrayBuffer()).byteLength).toBe(Number(head.headers.get("content-length")));
  await expect.poll(() => isKept(path)).toBe(false);
  for (const one of tails) expect((await person.call(path + one, { method: "HEAD" })).status).toBe(410);
});

test("HEAD of a result that is a message, is not there yet, was cancelled or is another's has the status of GET", async () => {
  const person = await app.person();
  const same = await finish(person, [sample("a.png")], "convert");
  const head = await person.call(`${same}/result`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(await deliveries(same)).toEqual(["none"]);
  const stranger = await app.person();
  for (const tail of ["/result", "/files/0"])
    expect((await stranger.call(same + tail, { method: "HEAD" })).status).toBe(404);
  for (const index of ["1", "x", "-1", "99999999999"])
    expect((await person.call(`${same}/files/${index}`, { method: "HEAD" })).status).toBe(404);
  await app.whileEnginesAreHeld(async () => {
    const path = await start(person, [{ name: "slow.png", bytes: samplePng(30, 20) }]);
    for (const tail of ["/result", "/files/0"])
      expect((await person.call(path + tail, { method: "HEAD" })).status).toBe(409);
    await person.call(path, { method: "DELETE" });
    for (const tail of ["/result", "/files/0"])
      expect((await person.call(path + tail, { method: "HEAD" })).status).toBe((await person.call(path + tail)).status);
  });
});

// product: result-in-parts
test("a result that is fetched in parts is the whole, stays until it expires, and is paid for", async () => {
  const person = await app.person();
  const path = await finish(person, [sample("a.png")]);
  const size = Number((await person.call(`${path}/result`, { method: "HEAD" })).headers.get("content-length"));
  const middle = Math.floor(size / 2);
  const first = await part(person, `${path}/result`, `bytes=0-${middle - 1}`);
  expect(first.answer.status).toBe(206);
  expect(first.answer.headers.get("content-range")).toBe(`bytes 0-${middle - 1}/${size}`);
  expect(first.answer.headers.get("content-type")).toBe("image/png");
  const second = await part(person, `${path}/files/0`, `bytes=${middle}-`);
  expect(second.answer.headers.get("content-range")).toBe(`bytes ${middle}-${size - 1}/${size}`);
  expect(await deliveries(path)).toEqual(["begun"]);
  const last = await part(person, `${path}/result`, "bytes=-4");
  expect(last.answer.headers.get("content-range")).toBe(`bytes ${size - 4}-${size - 1}/${size}`);
  expect(isKept(path)).toBe(true);
  const whole = await part(person, `${path}/result`, `bytes=0-${size + 1000}`);
  expect([whole.answer.status, whole.answer.headers.get("content-range")]).toEqual([
    206,
    `bytes 0-${size - 1}/${size}`,
  ]);
  expect(Buffer.concat([first.bytes, second.bytes]).equals(whole.bytes)).toBe(true);
  expect(whole.bytes.subarray(-4).equals(last.bytes)).toBe(true);
  // That was all of it, to the last byte.
  await expect.poll(() => isKept(path)).toBe(false);
  expect((await part(person, `${path}/result`, "bytes=0-0")).answer.status).toBe(410);
  expect(await used(person)).toBe(1);
});

test("neither a cancelled job nor one that expires gives back the credit of a result fetched in parts", async () => {
  const person = await app.person();
  const cancelled = await finish(person, [sample("a.png")]);
  await part(person, `${cancelled}/result`, "bytes=0-9");
  expect((await person.call(cancelled, { method: "DELETE" })).status).toBe(200);
  const expired = await finish(person, [sample("b.png", 1)]);
  await part(person, `${expired}/result`, "bytes=0-9");
  clock.advance(16 * 60_000);
  await app.sweep();
  expect(isKept(expired)).toBe(false);
  expect(await used(person)).toBe(2);
});

test("a range beyond the end is refused with the size, and is no delivery", async () => {
  const person = await app.person();
  const path = await finish(person, [sample("a.png")]);
  const size = (await person.call(`${path}/result`, { method: "HEAD" })).headers.get("content-length");
  for (const tail of ["/result", "/files/0"])
    for (const range of [`bytes=${size}-`, "bytes=99999999999999999999-", "bytes=-0"]) {
      const { answer, bytes } = await part(person, path + tail, range);
      expect([answer.status, answer.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
      expect(JSON.parse(String(bytes))).toMatchObject({ code: "range-not-satisfiable" });
    }
  expect(await deliveries(path)).toEqual(["none"]);
});

test.each([
  { range: "bytes=5-2" },
  { range: "bytes=-" },
  { range: "bytes=a-b" },
  { range: "lines=0-1" },
  { range: "bytes=0-1,4-5" },
  { range: "bytes=0-1", "if-range": '"another"' },
])("%j is answered with the whole", async ({ range, ...headers }) => {
  const person = await app.person();
  const path = await finish(person, [sample("a.png")]);
  const { answer } = await part(person, `${path}/result`, range, headers);
  expect([answer.status, answer.headers.get("content-range")]).toEqual([200, null]);
  await expect.poll(() => isKept(path)).toBe(false);
});

test("a ZIP is sent whole, whatever the range, and its files in parts", async () => {
  const person = await app.person();
  const path = await finish(person, [sample("a.png"), sample("b.png", 1)]);
  expect((await part(person, `${path}/files/1`, "bytes=0-9")).answer.status).toBe(206);
  expect(await deliveries(path)).toEqual(["none", "begun"]);
  expect((await part(person, `${path}/result`, "bytes=0-9")).answer.status).toBe(200);
  await expect.poll(() => isKept(path)).toBe(false);
});

test("a synchronous request has the whole picture, whatever its range", async () => {
  const person = await app.person();
  const answer = await person.run("compress", [sample("a.png")], { quality: "60" }, { range: "bytes=0-9" });
  expect([answer.status, answer.headers.get("accept-ranges")]).toEqual([200, null]);
});
