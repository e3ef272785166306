import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs } from "../../../platform/clock.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { forgetOldRows } from "../sweep.ts";
import { previewParts } from "../tables.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, environment: { TINTYPE_TRUSTED_PROXIES: "127.0.0.1" } });
});
afterAll(() => app.close());

const size = { width: 640, height: 480 };
const partPx = 128;
const convert = { operation: "convert", options: JSON.stringify({ target_format: "jpeg", quality: 75 }) };

/** Somebody who has sent the picture and can look at parts of it. */
async function lookerOf(bytes: Uint8Array, address: string, caller: TestCaller = app.caller()) {
  const headers = { "x-forwarded-for": address };
  const kept = await caller.run("preview", [{ name: "a.png", bytes }], { keep: "true", side: "16" }, headers);
  expect(kept.status).toBe(200);
  await kept.bytes();
  const of = kept.headers.get("x-job") ?? "";
  return async (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ of, part: String(partPx), ...convert, ...fields }))
      form.append(name, value);
    return caller.call("/api/preview", { form, headers });
  };
}
type Looker = Awaited<ReturnType<typeof lookerOf>>;

/** Marks what a part shows, unless it is refused. Returns whether it was shown. */
async function see(seen: Uint8Array, look: Looker, fields: Record<string, string>): Promise<boolean> {
  const answer = await look(fields);
  if (answer.status !== 200) {
    expect(await answer.json()).toMatchObject({ status: 422, code: "cannot-process", field: "part" });
    return false;
  }
  const { left, top } = JSON.parse(answer.headers.get("x-preview") ?? "");
  const { width, height } = await sharp(await answer.bytes()).metadata();
  for (let y = top; y < top + height; y += 1)
    seen.fill(1, y * size.width + left, y * size.width + Math.min(size.width, left + width));
  return true;
}

const nothing = () => new Uint8Array(size.width * size.height);
const shareOf = (seen: Uint8Array) => seen.reduce((sum, one) => sum + one, 0) / seen.length;
const places = Array.from({ length: 20 }, (_, i) => ({
  left: String((i % 5) * partPx),
  top: String(Math.floor(i / 5) * partPx),
}));

// product: preview-of-a-part
test("parts in a row show at most half of a picture, whatever the settings, and again after a day", async () => {
  const bytes = samplePng(size.width, size.height, 1);
  const look = await lookerOf(bytes, "192.0.2.1");
  const seen = nothing();
  for (const place of places) await see(seen, look, place);
  expect(shareOf(seen)).toBeLessThanOrEqual(0.5);
  expect(shareOf(seen)).toBeGreaterThan(0.4);

  // Neither another operation, nor a crop, a turn or a new size uncovers more. Nor does another guest of the network.
  const last = { left: "512", top: "352" };
  const others = [
    last,
    { ...last, operation: "compress", options: JSON.stringify({ quality: 60 }) },
    { left: "64", top: "64", steps: JSON.stringify([{ crop: { left: 440, top: 280, width: 200, height: 200 } }]) },
    { left: "0", top: "0", steps: JSON.stringify([{ turn: { degrees: 180 } }]) },
    { left: "1024", top: "704", part: "256", operation: "resize", options: JSON.stringify({ percent: 200 }) },
    { left: "192", top: "112", operation: "resize", options: JSON.stringify({ percent: 50 }) },
  ];
  const next = await lookerOf(bytes, "192.0.2.1");
  for (const looker of [look, next])
    for (const fields of others) expect([fields, await see(seen, looker, fields)]).toEqual([fields, false]);
  // Somebody elsewhere has a half of their own.
  const elsewhere = await lookerOf(bytes, "198.51.100.1", await app.person());
  expect((await elsewhere(last)).status).toBe(200);

  clock.advance(dayMs);
  const nextDay = await lookerOf(bytes, "192.0.2.1");
  expect((await nextDay(last)).status).toBe(200);
  const countRows = () => app.db.$count(previewParts);
  expect(await countRows()).toBeGreaterThan(2);
  await forgetOldRows({ db: app.db, clock });
  expect(await countRows()).toBe(2); // of the new guest and of their network
});

test("parts at once, asked for from two addresses of one network, show at most half of a picture together", async () => {
  const bytes = samplePng(size.width, size.height, 2);
  // Two /64 of one /56.
  const lookers = [
    await lookerOf(bytes, "2001:db8:1:a01::1"),
    await lookerOf(bytes, "2001:db8:1:a02::1", await app.person()),
  ];
  const seen = nothing();
  await Promise.all(places.flatMap((place) => lookers.map((look) => see(seen, look, place))));
  expect(shareOf(seen)).toBeLessThanOrEqual(0.5);
  expect(shareOf(seen)).toBeGreaterThan(0.3);
});

test("a small picture has one part of up to half of it, and no other", async () => {
  const look = await lookerOf(samplePng(120, 90), "192.0.2.7");
  const first = await look({});
  const { width, height } = await sharp(await first.bytes()).metadata();
  expect([first.status, width, height]).toEqual([200, 70, 70]);
  expect((await look({ left: "0", top: "0" })).status).toBe(422);
});

test("other settings at one place are never refused, not even once half has been seen", async () => {
  const look = await lookerOf(samplePng(size.width, size.height, 3), "192.0.2.9");
  const place = places[0] ?? {};
  const slide = async (quality: number) => {
    const answer = await look({ ...place, options: JSON.stringify({ target_format: "jpeg", quality }) });
    await answer.bytes();
    return answer.status;
  };
  for (let quality = 20; quality < 50; quality += 1) expect(await slide(quality)).toBe(200);
  const seen = nothing();
  for (const other of places) await see(seen, look, other);
  expect(await see(seen, look, places.at(-1) ?? {})).toBe(false);
  for (let quality = 50; quality < 60; quality += 1) expect(await slide(quality)).toBe(200);
});

test("all of a result is shown smaller than it is", async () => {
  const look = await lookerOf(samplePng(400, 300), "192.0.2.10");
  const answer = await look({ whole: "true", side: "1024" });
  expect(await sharp(await answer.bytes()).metadata()).toMatchObject({ format: "webp", width: 282, height: 212 });
  expect(JSON.parse(answer.headers.get("x-preview") ?? "")).toMatchObject({ width: 400, height: 300 });
});
