import { mkdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { errors, type Job } from "@tintype/contract";
import { eq } from "drizzle-orm";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filled, pdfFile } from "../../../../../imaging/src/testing/pdf-file.ts";
import { startTestApp, type TestApp, type TestCaller, type TestFile } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { storedJobs } from "../../../testing/stored-jobs.ts";
import { jobBlobs } from "../tables.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { TINTYPE_QUEUE_FILES: "60" } });
});
afterAll(() => app.close());

const spool = () => storedJobs(join(app.dataFolder, "spool"));
const sample = (name = "a.png", seed = 0): TestFile => ({ name, bytes: samplePng(48, 32, seed) });
const text = (content: string, name = "a.png"): TestFile => ({ name, bytes: new TextEncoder().encode(content) });
const broken = (name = "b.png"): TestFile => ({ name, bytes: Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1") });
const compress = (caller: TestCaller, files: TestFile[], headers?: Record<string, string>) =>
  caller.run("compress", files, { quality: "60" }, headers);
/** Checks that the response follows RFC 9457, and returns it. It must expose no internals. */
async function expectProblem(answer: Response, code: keyof typeof errors): Promise<{ detail: string }> {
  expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  const problem = (await answer.json()) as {
    type: string;
    title: string;
    status: number;
    detail: string;
    requestId: string;
  };
  expect(problem).toMatchObject({
    type: `/api/docs#error-${code}`,
    title: errors[code].title,
    status: errors[code].status,
  });
  expect(answer.status).toBe(errors[code].status);
  expect(problem.detail).toMatch(/[.]$/);
  expect(problem.requestId).toBe(answer.headers.get("x-request-id"));
  expect(JSON.stringify(problem)).not.toMatch(/node_modules|\.ts:|\/tmp\/|\n\s+at /);
  return problem;
}

// product: credit-headers
test("one picture comes back as a picture, and nothing of it stays", async () => {
  const answer = await compress(app.caller(), [sample()]);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("content-disposition")).toBe("attachment; filename=\"a.png\"; filename*=UTF-8''a.png");
  const bytes = await answer.bytes();
  expect(Number(answer.headers.get("content-length"))).toBe(bytes.length);
  expect(answer.headers.get("x-credits-charged")).toBe("1");
  expect(answer.headers.get("x-credits-remaining")).toBe("4");
  expect(answer.headers.get("x-credits-limit")).toBe("5");
  expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({
    operation: "compress",
    file: "a.png",
    outcome: "done",
  });
  await expect.poll(spool).toEqual([]);
});

// product: batch-as-zip, broken-file-alone
test("several come back as a ZIP of exact length with a report, and the broken one spoils nothing", async () => {
  const person = await app.person();
  const answer = await compress(person, [sample("ü/x.png"), sample("x.png", 1), broken("b.png")]);
  expect(answer.headers.get("content-disposition")).toContain('filename="tintype.zip"');
  const zip = Buffer.from(await answer.bytes());
  expect(Number(answer.headers.get("content-length"))).toBe(zip.length);
  // Readers of a stream need each size before the bytes: no data descriptor (APPNOTE 4.4.4, bit 3).
  let at = 0;
  for (; zip.readUInt32LE(at) === 0x04034b50; at += 30 + zip.readUInt16LE(at + 26) + zip.readUInt32LE(at + 18)) {
    expect(zip.readUInt16LE(at + 6) & 8).toBe(0);
    const from = at + 30 + zip.readUInt16LE(at + 26);
    expect(zip.readUInt32LE(at + 14)).toBe(crc32(zip.subarray(from, from + zip.readUInt32LE(at + 18))));
  }
  expect(zip.readUInt32LE(at)).toBe(0x02014b50);
  const entries = unzipSync(zip);
  expect(Object.keys(entries)).toEqual(["report.json", "x.png", "x (2).png"]);
  expect(JSON.parse(new TextDecoder().decode(entries["report.json"]))).toMatchObject({
    operation: "compress",
    files: [
      { file: "x.png", outcome: "done", result: "x.png" },
      { file: "x.png", outcome: "done", result: "x (2).png" },
      { file: "b.png", outcome: "failed", code: "broken-image", reason: errors["broken-image"].detail },
    ],
  });
  expect(answer.headers.get("x-credits-charged")).toBe("2");
  await expect.poll(spool).toEqual([]);
});

test("a name comes back as its sender has it: browsers write a quotation mark as %22, and Windows opens what comes", async () => {
  const answer = await compress(await app.person(), [
    sample('my "best".png'),
    sample("con.png", 1),
    sample("50%.png", 2),
  ]);
  const names = ["report.json", "my _best_.png", "con_.png", "50%.png"];
  expect(Object.keys(unzipSync(await answer.bytes()))).toEqual(names);
});

test("a parameter of the address that there is not is refused before anything is charged", async () => {
  const person = await app.person();
  const form = new FormData();
  form.append("files", new Blob([new Uint8Array(samplePng(20, 20))]), "a.png");
  for (const [path, body, detail] of [
    ["/api/compress?quality=40", form, 'There is no query parameter "quality". Fields go into the form.'],
    ["/api/jobs?sise=10", undefined, 'There is no query parameter "sise". Did you mean "size"?'],
  ] as const) {
    const answer = await person.call(path, body ? { form: body } : {});
    expect(await answer.json()).toMatchObject({ status: 400, code: "invalid-request", detail });
  }
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test("with and without the slash, under both spellings of the preference", async () => {
  const person = await app.person();
  const form = new FormData();
  form.append("quality", "60");
  form.append("files", new Blob([new Uint8Array(samplePng(20, 20))]), "a.png");
  expect((await person.call("/api/compress", { form })).status).toBe(200);
  const answer = await compress(person, [sample()], { prefer: 'handling=strict, Respond-Async; foo="bar"' });
  expect(answer.status).toBe(202);
  expect(answer.headers.get("preference-applied")).toBe("respond-async");
  await person.call(answer.headers.get("location") ?? "", { method: "DELETE" });
});

test("every fault is named, and costs nothing", async () => {
  const person = await app.person();
  expect(await expectProblem(await compress(person, []), "no-files")).toMatchObject({
    detail: "Please select at least one image to compress.",
  });
  expect(
    await expectProblem(await person.run("compress", [sample()], { quality: "101" }), "invalid-request"),
  ).toMatchObject({
    detail: "Please enter a valid quality between 1 and 100.",
  });
  expect(await expectProblem(await person.run("convert", [sample()], {}), "invalid-request")).toMatchObject({
    detail: "Please select a target format for conversion.",
  });
  await expectProblem(await compress(person, [text("hello")]), "not-an-image");
  await expectProblem(await compress(person, [text("")]), "not-an-image");
  await expectProblem(await compress(person, [broken()]), "broken-image");
  await expectProblem(await compress(person, [broken(), broken("c.png")]), "nothing-succeeded");
  await expectProblem(await compress(person, [text("x"), text("y")]), "nothing-succeeded");
  await expectProblem(await person.run("remove-background", [sample()], { profile: "sam_manual" }), "cannot-process");
  await expectProblem(await person.call("/api/compress/", { json: { quality: 60 } }), "unsupported-media-type");
  await expectProblem(await person.call("/api/polish/", { method: "POST" }), "not-found");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
  await expect.poll(spool).toEqual([]);
});

// product: same-format-free
test("source and target the same: a message, and nothing charged", async () => {
  const person = await app.person();
  const answer = await person.run("convert", [sample()], { target_format: "png", source_format: "jpeg" });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    message: "Source format is the same as the target format. No conversion needed.",
  });
  expect(answer.headers.get("x-credits-charged")).toBe("0");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
  await expect.poll(spool).toEqual([]);
});

test("in a batch, what needs no conversion comes along as it is", async () => {
  const person = await app.person();
  const jpeg = await (await person.run("convert", [sample()], { target_format: "jpeg" })).bytes();
  const answer = await person.run("convert", [sample("a.png"), { name: "b.jpg", bytes: jpeg }], {
    target_format: "jpeg",
  });
  const entries = unzipSync(await answer.bytes());
  expect(Object.keys(entries)).toEqual(["report.json", "a.jpg", "b.jpg"]);
  expect(JSON.parse(new TextDecoder().decode(entries["report.json"]))).toMatchObject({
    files: [
      { outcome: "done", result: "a.jpg" },
      { outcome: "unchanged", result: "b.jpg", result_bytes: jpeg.length },
    ],
  });
  expect(Buffer.from(entries["b.jpg"] ?? []).equals(Buffer.from(jpeg))).toBe(true);
  expect(answer.headers.get("x-credits-charged")).toBe("1");
});

test("a file that is named for another format comes back under the right name, for nothing", async () => {
  const person = await app.person();
  const jpeg = Buffer.from(await (await person.run("convert", [sample()], { target_format: "jpeg" })).bytes());
  const misnamed = { name: "photo.png", bytes: jpeg };
  const answer = await person.run("convert", [misnamed], { target_format: "jpeg" });
  expect(answer.headers.get("content-type")).toBe("image/jpeg");
  expect(answer.headers.get("content-disposition")).toContain('filename="photo.jpg"');
  expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({
    outcome: "unchanged",
    reason: "Source format is the same as the target format. No conversion needed.",
    result: "photo.jpg",
  });
  expect(answer.headers.get("x-credits-charged")).toBe("0");
  expect(Buffer.from(await answer.bytes()).equals(jpeg)).toBe(true);
  // A batch of nothing else is a ZIP, and not the message.
  const batch = await person.run("convert", [misnamed, { name: "b.jpg", bytes: jpeg }], { target_format: "jpeg" });
  expect(Object.keys(unzipSync(await batch.bytes()))).toEqual(["report.json", "photo.jpg", "b.jpg"]);
  // Fetched file by file, it outlives the delivery of the others.
  const both = [sample("a.png"), misnamed];
  const begun = await person.run("convert", both, { target_format: "jpeg" }, { prefer: "respond-async" });
  const place = begun.headers.get("location") ?? "";
  const job = async () => (await (await person.call(place)).json()) as Job;
  await expect.poll(async () => (await job()).state).toBe("done");
  expect((await job()).files[1]).toMatchObject({
    name: "photo.png",
    state: "unchanged",
    result: { name: "photo.jpg", format: "jpeg" },
  });
  expect((await person.call(`${place}/files/0`)).status).toBe(200);
  await expect.poll(async () => (await job()).files[0]?.delivered).toBe(true);
  const last = await person.call(`${place}/files/1`);
  expect(last.headers.get("content-disposition")).toContain('filename="photo.jpg"');
  expect(Buffer.from(await last.bytes()).equals(jpeg)).toBe(true);
  // Once it is delivered there is no message in its place.
  await expect.poll(async () => (await person.call(`${place}/files/1`)).status).toBe(410);
  const alone = await person.run("convert", [misnamed], { target_format: "jpeg" }, { prefer: "respond-async" });
  const result = `${alone.headers.get("location")}/result`;
  await expect.poll(async () => (await person.call(result, { method: "HEAD" })).status).toBe(200);
  expect((await (await person.call(result)).bytes()).length).toBe(jpeg.length);
  await expect.poll(async () => (await person.call(result)).status).toBe(410);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 2 });
  await expect.poll(spool).toEqual([]);
});

test("a picture that needs no conversion comes along without its metadata, however it is asked for", async () => {
  const person = await app.person();
  const jpeg = Buffer.from(await (await person.run("convert", [sample()], { target_format: "jpeg" })).bytes());
  const secret = Buffer.from("\xff\xfe\x00\x15taken in the garden", "latin1"); // a comment, ITU-T T.81 B.2.4.5
  const taken = Buffer.concat([jpeg.subarray(0, 2), secret, jpeg.subarray(2)]);
  const files = [sample("a.png"), { name: "b.jpg", bytes: taken }];
  const { "b.jpg": entry = new Uint8Array() } = unzipSync(
    await (await person.run("convert", files, { target_format: "jpeg" })).bytes(),
  );
  const begun = await person.run("convert", files, { target_format: "jpeg" }, { prefer: "respond-async" });
  const place = begun.headers.get("location") ?? "";
  await expect.poll(async () => ((await (await person.call(place)).json()) as Job).state).toBe("done");
  const single = await (await person.call(`${place}/files/1`)).bytes();
  for (const bytes of [entry, single]) expect(Buffer.from(bytes).equals(jpeg)).toBe(true);
  expect((await person.call(`${place}/files/0`)).status).toBe(200);
});

test.each([
  ["files[]", "files[]"],
  ["files[0]", "files[1]"],
  ["files", "files[]"],
])("pictures in fields called %s and %s are one batch, as PHP and other programs write them", async (first, second) => {
  const person = await app.person();
  const send = (names: string[]) => {
    const form = new FormData();
    form.append("quality", "60");
    for (const [i, name] of names.entries()) form.append(name, new Blob([samplePng(48, 32, i)]), `${i}.png`);
    return person.call("/api/compress", { form });
  };
  const entries = unzipSync(await (await send([first, second])).bytes());
  expect(Object.keys(entries)).toEqual(["report.json", "0.png", "1.png"]);
  expect(await expectProblem(await send(["files[a]"]), "invalid-request")).toMatchObject({ field: "files[a]" });
  expect(
    await expectProblem(await send(Array.from({ length: 21 }, (_, i) => `files[${i}]`)), "too-many-files"),
  ).toBeDefined();
});

test("limits of the plan: files and bytes are refused with the plan's own numbers", async () => {
  const person = await app.person();
  expect(
    await expectProblem(
      await compress(
        person,
        Array.from({ length: 21 }, (_, i) => sample(`${i}.png`)),
      ),
      "too-many-files",
    ),
  ).toMatchObject({
    detail: "Your plan allows up to 20 files per batch.",
  });
  const large = { name: "large.png", bytes: Buffer.concat([samplePng(8, 8), Buffer.alloc(25_000_001)]) };
  expect(await expectProblem(await compress(person, [large]), "too-large")).toMatchObject({
    detail: "A file is larger than the 25 MB that your plan allows.",
  });
  await expect.poll(spool).toEqual([]);
});

test("an upload that says it is far too long is refused before it is read", async () => {
  const { hostname, port } = new URL(app.baseUrl);
  const status = await new Promise<number>((done, fail) => {
    const call = request(
      {
        hostname,
        port,
        path: "/api/compress/",
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=x", "content-length": 9_000_000_000 },
      },
      (answer) => {
        done(answer.statusCode ?? 0);
        call.destroy();
      },
    );
    call.on("error", fail);
    call.write("--x\r\n");
  });
  expect(status).toBe(413);
});

test("an upload that is cut off leaves nothing", async () => {
  const { hostname, port } = new URL(app.baseUrl);
  await new Promise<void>((done) => {
    const call = request({
      hostname,
      port,
      path: "/api/compress/",
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x", "content-length": 100_000 },
    });
    call.on("error", () => done());
    call.write('--x\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\n\r\nabc', () =>
      setImmediate(() => call.destroy()),
    );
    call.on("close", () => done());
  });
  await expect.poll(spool).toEqual([]);
});

test("a full queue answers 503 with Retry-After, and takes no credit", async () => {
  const person = await app.person("pro");
  const other = await app.person("pro");
  const files = Array.from({ length: 45 }, (_, i) => sample(`${i}.png`));
  await app.whileEnginesAreHeld(async () => {
    const busy = await compress(person, files, { prefer: "respond-async" });
    const answer = await compress(other, files.slice(0, 20));
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectProblem(answer, "full");
    expect(await (await other.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
    await person.call(busy.headers.get("location") ?? "", { method: "DELETE" });
  });
});

// product: fair-turns
test("a batch of one caller does not keep another's single picture waiting for all of it", async () => {
  const [many, one] = [await app.person(), await app.person()];
  await app.whileEnginesAreHeld(async (letThrough) => {
    const files = Array.from({ length: 15 }, (_, i) => sample(`${i}.png`));
    const batch = await compress(many, files, { prefer: "respond-async" });
    const path = batch.headers.get("location") ?? "";
    const single = await compress(one, [sample()], { prefer: "respond-async" });
    letThrough(8);
    await expect
      .poll(async () => ((await (await one.call(single.headers.get("location") ?? "")).json()) as Job).state)
      .toBe("done");
    const { files: left } = (await (await many.call(path)).json()) as Job;
    expect(left.filter(({ state }) => state === "waiting").length).toBeGreaterThan(0);
    await many.call(path, { method: "DELETE" });
  });
});

// product: idempotency
test("the same key and request give the same answer and are charged once", async () => {
  const person = await app.person();
  const key = { "idempotency-key": "k-1" };
  const [first, second] = [await compress(person, [sample()], key), await compress(person, [sample()], key)];
  expect(Buffer.from(await first.bytes()).equals(Buffer.from(await second.bytes()))).toBe(true);
  expect([first, second].map(({ headers }) => headers.get("x-credits-charged"))).toEqual(["1", "0"]);
  expect([first, second].map(({ headers }) => headers.get("x-credits-remaining"))).toEqual(["99", "99"]);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
  await expectProblem(await compress(person, [sample("a.png", 5)], key), "idempotency-mismatch");
  await expectProblem(await person.run("compress", [sample()], { quality: "61" }, key), "idempotency-mismatch");
  const stranger = await app.person();
  expect((await compress(stranger, [sample("theirs.png")], key)).headers.get("content-disposition")).toContain(
    "theirs.png",
  );
});

test("ten at once with one key are charged once", async () => {
  const person = await app.person();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => compress(person, [sample()], { "idempotency-key": "k-2" })),
  );
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  for (const answer of answers) if (answer.status !== 200) await expectProblem(answer, "idempotency-in-progress");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
});

test("a request that failed under a key can be made again under it", async () => {
  const person = await app.person();
  const key = { "idempotency-key": "k-3" };
  await expectProblem(await compress(person, [broken()], key), "broken-image");
  await expectProblem(await compress(person, [broken()], key), "broken-image");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test("a repeat under a key gives what was charged for, and no more", async () => {
  const person = await app.person();
  const key = { "idempotency-key": "k-4" };
  const send = async () => {
    const answer = await compress(person, [sample("a.png"), broken("b.png")], key);
    return [answer.status, answer.headers.get("x-credits-charged"), Object.keys(unzipSync(await answer.bytes()))];
  };
  const first = await send();
  expect(first).toEqual([200, "1", ["report.json", "a.png"]]);
  expect(await send()).toEqual([200, "0", ["report.json", "a.png"]]);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
});

test("a job that was cancelled after some of it was had is not repeated for nothing", async () => {
  const person = await app.person();
  const headers = { "idempotency-key": "k-5", prefer: "respond-async" };
  const files = [sample("a.png"), ...[1, 2, 3].map((i) => sample(`${i}.png`, i))];
  await app.whileEnginesAreHeld(async (letThrough) => {
    const begun = await compress(person, files, headers);
    const path = begun.headers.get("location") ?? "";
    const again = await compress(person, files, headers);
    expect([again.status, again.headers.get("location")]).toEqual([202, path]);
    letThrough(1);
    await expect.poll(async () => (await person.call(`${path}/files/0`)).status).toBe(200);
    expect((await person.call(path, { method: "DELETE" })).status).toBe(200);
  });
  await expectProblem(await compress(person, files, headers), "conflict");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
});

test("a second picture is refused where there is no place for it", async () => {
  const person = await app.person();
  const send = (task: string, extras: number) => {
    const form = new FormData();
    form.append("quality", "60");
    form.append("files", new Blob([new Uint8Array(samplePng(20, 20))]), "a.png");
    for (let i = 0; i < extras; i++)
      form.append("background_image", new Blob([new Uint8Array(samplePng(20, 20, i))]), "b.png");
    return person.call(`/api/${task}/`, { form });
  };
  await expectProblem(await send("compress", 1), "invalid-request");
  await expectProblem(await send("remove-background", 2), "invalid-request");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test("a field that the form does not have is refused with the one that was meant, before anything is charged", async () => {
  const person = await app.person();
  const send = async (entries: [string, string | Blob][], task = "compress") => {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    const answer = await person.call(`/api/${task}/`, { form });
    const { status, field, detail, code } = (await answer.json()) as Record<string, unknown>;
    return { status, field, detail, code };
  };
  const picture = new Blob([new Uint8Array(samplePng(20, 20))]);
  const refused = { status: 400, code: "invalid-request" };
  expect(
    await send([
      ["qualty", "60"],
      ["files", picture],
    ]),
  ).toEqual({
    ...refused,
    field: "qualty",
    detail: 'There is no field "qualty". Did you mean "quality"?',
  });
  expect(
    await send([
      ["file", picture],
      ["quality", "60"],
    ]),
  ).toMatchObject({
    field: "file",
    detail: expect.stringContaining('Did you mean "files"?'),
  });
  expect(
    await send([
      ["quality", "60"],
      ["quality", "61"],
      ["files", picture],
    ]),
  ).toEqual({
    ...refused,
    field: "quality",
    detail: 'The field "quality" came twice with different values. Send it once.',
  });
  expect(
    await send(
      [
        ["colour", "red"],
        ["files", picture],
      ],
      "upload",
    ),
  ).toEqual({
    ...refused,
    field: "colour",
    detail: 'There is no field "colour". Use one of: files, image_url.',
  });
  expect(
    await send([
      ["files", "photo.jpg"],
      ["quality", "60"],
    ]),
  ).toEqual({
    ...refused,
    field: "files",
    detail: 'The field "files" takes a file. With curl that is files=@photo.jpg.',
  });
  expect(
    await send([
      ["quality", picture],
      ["files", picture],
    ]),
  ).toMatchObject({ ...refused, field: "quality" });
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test("with wait the answer is the picture where it is done in time, and else the job, which goes on", async () => {
  const person = await app.person();
  const quick = await compress(person, [sample()], { prefer: "wait=30" });
  expect([quick.status, quick.headers.get("preference-applied")]).toEqual([200, "wait=30"]);
  expect((await quick.bytes()).length).toBeGreaterThan(50);
  const late = await app.whileEnginesAreHeld(() =>
    compress(person, [sample("b.png")], { prefer: "respond-async, wait=0" }),
  );
  expect([late.status, late.headers.get("preference-applied")]).toEqual([202, "respond-async, wait=0"]);
  const path = late.headers.get("location") ?? "";
  await expect.poll(async () => (await person.call(`${path}/result`)).status).toBe(200);
});

test("results of a job that was not waited for tell its credits", async () => {
  const person = await app.person();
  const begun = await compress(person, [sample("a.png"), broken()], { prefer: "respond-async" });
  const path = begun.headers.get("location") ?? "";
  await expect.poll(async () => ((await (await person.call(path)).json()) as { state: string }).state).toBe("done");
  for (const answer of [await person.call(`${path}/files/0`), await person.call(`${path}/result`)])
    expect(["charged", "remaining", "limit"].map((part) => answer.headers.get(`x-credits-${part}`))).toEqual([
      "1",
      "99",
      "100",
    ]);
});

// product: five-operations, formats-by-content
test("upload and preview cost nothing; detection goes by content", async () => {
  const guest = app.caller();
  const checked = await guest.run("upload", [sample("mine.jpg")]);
  expect(checked.status).toBe(200);
  expect(checked.headers.get("content-type")).toBe("image/png");
  expect(checked.headers.has("x-credits-charged")).toBe(false);
  const preview = await guest.run("preview", [sample()], { side: "16" });
  expect(preview.headers.get("content-type")).toBe("image/webp");
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(samplePng(8, 8))]), "photo.jpg");
  expect(await (await guest.call("/api/convert/detect-source-format", { form })).json()).toEqual({
    source_format: "png",
  });
  const nothing = new FormData();
  nothing.append("file", new Blob(["hello"]), "photo.jpg");
  await expectProblem(await guest.call("/api/convert/detect-source-format", { form: nothing }), "not-an-image");
  expect((await compress(guest, [sample()])).headers.get("x-credits-remaining")).toBe("4");
});

// product: formats-by-content
test("the page of a PDF that is named is converted, and one that is not there costs nothing", async () => {
  const guest = app.caller();
  const pages = [
    { box: [0, 0, 40, 20], content: filled("1 0 0") },
    { box: [0, 0, 20, 30], content: filled("0 0 1") },
  ];
  const files = [{ name: "a.pdf", bytes: pdfFile({ pages }) }];
  const answer = await guest.run("convert", files, { target_format: "png", page: "2" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toContain('filename="a.png"');
  const png = Buffer.from(await answer.bytes());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([40, 60]);
  const recipe = JSON.stringify({ steps: [{ turn: { degrees: 90 } }, { convert: { target_format: "png", page: 2 } }] });
  const turned = Buffer.from(await (await guest.run("recipes/run", files, { recipe })).bytes());
  expect([turned.readUInt32BE(16), turned.readUInt32BE(20)]).toEqual([60, 40]);
  const beyond = await guest.run("convert", files, { target_format: "png", page: "3" });
  expect(await expectProblem(beyond, "cannot-process")).toMatchObject({
    detail: "This PDF has 2 pages; there is no page 3.",
  });
  await expectProblem(await guest.run("convert", files, { target_format: "png", page: "0" }), "invalid-request");
  await expectProblem(await guest.run("upload", files, {}), "cannot-process");
  const shown = { operation: "convert", options: JSON.stringify({ target_format: "png", page: 2 }), whole: "true" };
  for (const [steps, size] of [
    ["", [40, 60]],
    [JSON.stringify([{ turn: { degrees: 90 } }]), [60, 40]],
  ] as const) {
    const seen = await guest.run("preview", files, { ...shown, ...(steps === "" ? {} : { steps }) });
    const { width, height } = JSON.parse(seen.headers.get("x-preview") ?? "{}") as { width: number; height: number };
    expect([width, height]).toEqual(size);
  }
  const next = await compress(guest, [sample()]);
  expect(next.headers.get("x-credits-remaining")).toBe("2");
});

/** 6 x 4 px, encoded by OpenJPEG. */
const jp2 =
  "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAABAAAAAYAAwcHAAAAAAAPY29scgEAAAAAABAAAADaanAyY/9P/1EALwAAAAAABgAAAAQAAAAAAAAAAAAAAAYAAAAEAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQEEBAAB/1wAB0BASEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAAXwAB/5PPtBwGgpo+zBm7z7QgDBQm1em5OX/fgEgMG5yYiI8QxH/A+QJD6gWAEQARO/MfCzuiaGcB18D5AcPqBAARQn8MFZFPw+oDh9QKEUJ7DBXUFr//2Q==";

// product: formats-by-content
test("JPEG 2000 is converted, and where it is cut off it is broken and costs nothing", async () => {
  const guest = app.caller();
  const bytes = Buffer.from(jp2, "base64");
  const answer = await guest.run("convert", [{ name: "a.jp2", bytes }], { target_format: "png" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("content-disposition")).toContain('filename="a.png"');
  const png = Buffer.from(await answer.bytes());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([6, 4]);
  const cut = [{ name: "a.jp2", bytes: bytes.subarray(0, 250) }];
  const refused = await guest.run("convert", cut, { target_format: "png" });
  await expectProblem(refused, "broken-image");
  const next = await compress(guest, [sample()]);
  expect(next.headers.get("x-credits-remaining")).toBe("3");
});

test("an upload whose process died is cleared away", async () => {
  const stray = join(app.dataFolder, "spool", "job_stray");
  mkdirSync(stray);
  await app.db.insert(jobBlobs).values({ jobId: "job_stray", uploader: "proc_dead", network: "", bytes: 1 });
  await app.sweep();
  expect(spool()).not.toContain("job_stray");
  expect(await app.db.select().from(jobBlobs).where(eq(jobBlobs.jobId, "job_stray"))).toEqual([]);
});
