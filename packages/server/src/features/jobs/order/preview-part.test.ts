import { request } from "node:http";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { noisePng, samplePng } from "../../../testing/pictures.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const photo = () =>
  sharp(samplePng(1600, 1200))
    .composite([{ input: noise, left: 300, top: 200 }])
    .jpeg({ quality: 96 })
    .toBuffer();
let noise: Buffer;
beforeAll(async () => {
  noise = await sharp(noisePng(400, 400)).blur(1).png().toBuffer();
});

type Shown = { left: number; top: number; width: number; height: number; size_bytes: number; quality?: number };
const shownOf = (answer: Response) => JSON.parse(answer.headers.get("x-preview") ?? "") as Shown;
const options = (value: object) => JSON.stringify(value);

async function problemOf(answer: Response) {
  const { code, field } = (await answer.json()) as { code: string; field?: string };
  return [answer.status, code, ...(field === undefined ? [] : [field])];
}

async function look(caller: TestCaller, of: string, fields: Record<string, string>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ of, ...fields })) form.append(name, value);
  return caller.call("/api/preview", { form });
}

// product: preview-of-a-part
test("a picture is sent once, and any part of it is shown as an operation would make it", async () => {
  const guest = app.caller();
  const first = await guest.run("preview", [{ name: "a.jpg", bytes: await photo() }], { keep: "true", side: "200" });
  expect([first.status, first.headers.get("content-type")]).toEqual([200, "image/webp"]);
  await first.bytes();
  const of = first.headers.get("x-job") ?? "";

  const fine = await look(guest, of, {
    operation: "compress",
    options: options({ quality: 90 }),
    left: "330",
    top: "250",
  });
  expect([fine.status, fine.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(shownOf(fine)).toMatchObject({ left: 320, top: 240, width: 1600, height: 1200 });
  const part = await sharp(await fine.bytes()).metadata();
  expect([part.width, part.height]).toEqual([512, 512]);

  const small = await look(guest, of, {
    operation: "convert",
    options: options({ target_format: "webp", quality: 30 }),
    part: "64",
  });
  expect(shownOf(small).size_bytes).toBeLessThan(shownOf(fine).size_bytes / 2);
  expect(await sharp(await small.bytes()).metadata()).toMatchObject({ format: "webp", width: 64, height: 64 });

  // The whole result, which costs a credit, has nearly the predicted size.
  const whole = await guest.run("compress", [{ name: "a.jpg", bytes: await photo() }], { quality: "90" });
  const truth = (await whole.bytes()).length;
  expect(Math.abs(shownOf(fine).size_bytes / truth - 1)).toBeLessThan(0.35);

  const fitted = await look(guest, of, {
    operation: "compress",
    options: options({ max_bytes: Math.round(truth / 2) }),
  });
  expect(shownOf(fitted).quality).toBeLessThan(90);
  expect(shownOf(fitted).size_bytes).toBeLessThanOrEqual(truth / 2);

  // A size that no quality reaches: the estimate at the lowest one is above it.
  const least = await look(guest, of, { operation: "compress", options: options({ max_bytes: 2000 }) });
  expect(shownOf(least)).toMatchObject({ quality: 40 });
  const refused = await guest.run("compress", [{ name: "a.jpg", bytes: await photo() }], { max_bytes: "2000" });
  const { smallest_bytes: smallest } = (await refused.json()) as { smallest_bytes: number };
  expect(Math.abs(shownOf(least).size_bytes / smallest - 1)).toBeLessThan(0.35);

  const resized = await look(guest, of, { operation: "resize", options: options({ width: 300, method: "fit" }) });
  expect(shownOf(resized)).toMatchObject({ width: 300, height: 225 });
});

test("the first look can come with the picture, and keeps nothing unless it is asked to", async () => {
  const guest = app.caller();
  const file = { name: "a.png", bytes: samplePng(300, 200) };
  const answer = await guest.run("preview", [file], {
    operation: "convert",
    options: options({ target_format: "jpeg" }),
  });
  expect(answer.headers.get("x-job")).toBeNull();
  // A small picture is not estimated: it is encoded whole.
  const size = shownOf(answer).size_bytes;
  await answer.bytes();
  const whole = await guest.run("convert", [file], { target_format: "jpeg" });
  expect(size).toBe((await whole.bytes()).length);
});

test("a picture that is kept is its owner's alone, for its time", async () => {
  const guest = app.caller();
  const kept = await guest.run("preview", [{ name: "a.png", bytes: samplePng(60, 40) }], { keep: "true" });
  await kept.bytes();
  const of = kept.headers.get("x-job") ?? "";
  const wish = { operation: "convert", options: options({ target_format: "webp" }) };
  expect(await problemOf(await look(app.caller(), of, wish))).toEqual([404, "not-found", "of"]);
  expect(await problemOf(await look(guest, "job_0123", wish))).toEqual([404, "not-found", "of"]);
  const both = await guest.run("preview", [{ name: "a.png", bytes: samplePng(60, 40) }], { of, ...wish });
  expect(await problemOf(both)).toEqual([400, "invalid-request", "files"]);

  // Twelve are kept for a network's guests, and this one is deleted first. A person has twelve of their own.
  const keep = async (caller: typeof guest) => {
    const answer = await caller.run("preview", [{ name: "b.png", bytes: samplePng(20, 20) }], { keep: "true" });
    await answer.bytes();
    return answer.headers.get("x-job") ?? "";
  };
  const person = await app.person();
  const own = await keep(person);
  const second = app.caller();
  const seconds = await keep(second);
  for (let i = 1; i < 12; i += 1) await keep(app.caller());
  await app.sweep();
  expect(await problemOf(await look(guest, of, wish))).toEqual([410, "gone", "of"]);
  expect((await look(person, own, wish)).status).toBe(200);
  for (let i = 0; i < 12; i += 1) await keep(person);
  await app.sweep();
  expect(await problemOf(await look(person, own, wish))).toEqual([410, "gone", "of"]);

  // Accounts are free, so a network is limited to four times as many across its accounts.
  for (const other of [await app.person(), await app.person()]) for (let i = 0; i < 12; i += 1) await keep(other);
  await app.sweep();
  expect((await look(second, seconds, wish)).status).toBe(200);
  await keep(await app.person());
  await app.sweep();
  expect(await problemOf(await look(second, seconds, wish))).toEqual([410, "gone", "of"]);
});

test("a picture is shown as a turn and a crop leave it, which is what a recipe of them gives", async () => {
  const guest = app.caller();
  const file = { name: "a.jpg", bytes: await photo() };
  const kept = await guest.run("preview", [file], { keep: "true", side: "16" });
  await kept.bytes();
  const of = kept.headers.get("x-job") ?? "";
  const steps = [{ turn: { degrees: 90 } }, { crop: { left: 100, top: 200, width: 700, height: 500 } }];
  const wish = { operation: "resize", options: options({ width: 350 }), steps: options(steps) };
  const shown = await look(guest, of, { ...wish, whole: "true", side: "350" });
  expect(shownOf(shown)).toMatchObject({ width: 350, height: 250, left: 0, top: 0 });
  const reduced = { width: 247, height: 176 };
  const preview = await shown.bytes();
  expect(await sharp(preview).metadata()).toMatchObject(reduced);
  const seen = await sharp(preview).removeAlpha().raw().toBuffer();
  const person = await app.person();
  const form = new FormData();
  form.append("recipe", options([...steps, { resize: { width: 350 } }]));
  form.append("files", new Blob([new Uint8Array(file.bytes)]), file.name);
  const run = await person.call("/api/recipes/run", { form });
  const made = await sharp(await run.bytes())
    .resize({ ...reduced, fit: "fill" })
    .removeAlpha()
    .raw()
    .toBuffer();
  expect(seen.length).toBe(made.length);
  expect(seen.reduce((sum, value, at) => sum + Math.abs(value - (made[at] as number)), 0) / seen.length).toBeLessThan(
    4,
  );
});

test("wrong fields are named, down to the option of the operation", async () => {
  const guest = app.caller();
  const file = { name: "a.png", bytes: samplePng(60, 40) };
  const wrong = [
    [{ operation: "upscale" }, "operation"],
    [{ operation: "compress", options: "quality=60" }, "options"],
    [{ operation: "compress", options: "{quality}" }, "options"],
    [{ operation: "compress", options: options({ quality: 0 }) }, "options.quality"],
    [{ operation: "compress", options: options({ qualty: 60 }) }, "options.qualty"],
    [{ options: options({ quality: 60 }) }, "operation"],
    [{ steps: options([{ turn: { degrees: 90 } }]) }, "operation"],
    [{ operation: "compress", steps: "[}]" }, "steps"],
    [{ operation: "compress", steps: "turn" }, "steps"],
    [{ operation: "compress", steps: options([]) }, "steps"],
    [{ operation: "compress", steps: options([{ turn: { degrees: 45 } }]) }, "steps.0.turn.degrees"],
    [{ operation: "compress", steps: options([{ upscale: {} }]) }, "steps"],
    [{ operation: "compress", steps: options([{ crop: { ratio: "1:1" } }, { turn: { degrees: 90 } }]) }, "steps"],
    [{ part: "513" }, "part"],
    [{ left: "-1" }, "left"],
    [{ top: "x" }, "top"],
    [{ keep: "perhaps" }, "keep"],
    [{ of: "elsewhere" }, "of"],
  ] as const;
  for (const [fields, field] of wrong)
    expect(await problemOf(await guest.run("preview", [file], fields))).toEqual([400, "invalid-request", field]);
});

test("a caller who hangs up at the last byte had the answer, and what is kept stays", async () => {
  const person = await app.person();
  const form = new FormData();
  form.append("keep", "true");
  form.append("files", new Blob([new Uint8Array(samplePng(90, 60))]), "a.png");
  const body = new Response(form);
  const [type = "", bytes] = [body.headers.get("content-type") ?? "", Buffer.from(await body.arrayBuffer())];
  /** Responds with the kept picture's job. Like curl, closes after the announced number of bytes. */
  const send = () =>
    new Promise<string>((resolve, reject) => {
      const headers = { authorization: `Bearer ${person.token}`, "content-type": type, "content-length": bytes.length };
      const call = request(`${app.baseUrl}/api/preview`, { method: "POST", headers, agent: false }, (answer) => {
        let left = Number(answer.headers["content-length"]);
        answer.on("data", (chunk: Buffer) => {
          left -= chunk.length;
          if (left > 0) return;
          answer.socket.destroy();
          resolve(String(answer.headers["x-job"]));
        });
        answer.on("error", () => {});
      });
      call.on("error", reject);
      call.end(bytes);
    });
  const kept: string[] = [];
  for (let i = 0; i < 10; i++) kept.push(await send());
  for (const of of kept) {
    const answer = await look(person, of, { operation: "compress", options: options({ quality: 60 }) });
    await answer.bytes();
    expect(answer.status).toBe(200);
  }
});
