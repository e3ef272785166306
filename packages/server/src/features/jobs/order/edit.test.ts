import { readdirSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pdfFile } from "../../../../../imaging/src/testing/pdf-file.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { redModel } from "../../../testing/red-model.ts";

const model = redModel();
const clock = heldClock();
let app: TestApp;
let person: TestCaller;
let job: string;
beforeAll(async () => {
  app = await startTestApp({ clock, environment: { ...model.environment, TINTYPE_CALLER_PREVIEWS: "40" } });
  person = await app.person();
  job = await cutOut(person, { crop: "true", margin: "0", background: "#204060" });
});
afterAll(async () => {
  await app.close();
  model.remove();
});

const drawing = new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">
  <rect width="100%" height="100%" fill="#cfd6da"/><circle cx="170" cy="120" r="60" fill="#e61e1e"/></svg>`);

/** Returns the id of the job, which a synchronous call reports too. */
async function cutOut(caller: TestCaller, fields: Record<string, string> = {}): Promise<string> {
  const answer = await caller.run("remove-background", [{ name: "ball.svg", bytes: drawing }], fields);
  expect(answer.status).toBe(200);
  await answer.bytes();
  return answer.headers.get("x-job") ?? "";
}

type Picture = { field: string; bytes: Uint8Array };
function edit(
  caller: TestCaller,
  id: string,
  fields: Record<string, string> = {},
  pictures: Picture[] = [],
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { field, bytes } of pictures) form.append(field, new Blob([new Uint8Array(bytes)]), `${field}.png`);
  return caller.call(`/api/jobs/${id}/files/0/edit`, { form, headers });
}

async function edited(fields: Record<string, string>, pictures: Picture[] = []) {
  const answer = await edit(person, job, fields, pictures);
  expect(answer.status).toBe(200);
  const bytes = await answer.bytes();
  const isGrey = (await sharp(bytes).metadata()).channels === 1;
  const { data, info } = await (isGrey ? sharp(bytes).extractChannel(0) : sharp(bytes))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels),
  ];
  return { answer, bytes, at, ...info };
}

async function problemOf(answer: Response) {
  const { code, field } = (await answer.json()) as { code: string; field?: string };
  return [answer.status, code, ...(field === undefined ? [] : [field])];
}

const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
const square = (colour: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
    .png()
    .toBuffer();

test("an Idempotency-Key belongs to the edit of one cut-out: another's is another request", async () => {
  const somebody = await app.person();
  const [one, other] = [await cutOut(somebody), await cutOut(somebody)];
  const key = { "idempotency-key": "an edit" };
  const answer = await edit(somebody, one, { blur: "40" }, [], key);
  expect(answer.status).toBe(200);
  await answer.bytes();
  expect(await problemOf(await edit(somebody, other, { blur: "40" }, [], key))).toEqual([422, "idempotency-mismatch"]);
});

test("a cut-out that was delivered with a colour and cropped comes back whole and transparent, at no cost", async () => {
  const whole = await edited({});
  expect(whole.answer.headers.get("content-disposition")).toContain("ball_bgremoved.png");
  expect([whole.width, whole.height, whole.channels]).toEqual([320, 240, 4]);
  expect(whole.at(5, 5)[3]).toBe(0);
  expect(whole.at(170, 120)[3]).toBe(255);
  expect(await used(person)).toBe(1);
});

// product: edits-free
test("background, blur, shadow and crop change the cut-out, and cost nothing", async () => {
  const green = await edited({ background: "#00ff00" });
  expect([green.channels, ...green.at(5, 5)]).toEqual([3, 0, 255, 0]);

  const blurred = await edited({ blur: "60" });
  const [red = 0, , blue = 0] = blurred.at(5, 5);
  expect([Math.abs(red - 0xcf) < 4, Math.abs(blue - 0xda) < 4]).toEqual([true, true]);
  // No halo: right beside the subject the background keeps its colour.
  expect(Math.abs((blurred.at(170, 52)[0] ?? 0) - 0xcf)).toBeLessThan(12);

  const shaded = await edited({ shadow: "80" });
  expect(shaded.at(170, 184)[3]).toBeGreaterThan(40);
  expect(shaded.at(170, 50)[3]).toBeLessThan(30);
  const onWhite = await edited({ shadow: "80", background: "white" });
  expect(onWhite.at(170, 184)[0]).toBeLessThan(220);

  const cropped = await edited({ crop: "true", margin: "0" });
  expect(Math.abs(cropped.width - 120)).toBeLessThan(8);
  const roomy = await edited({ crop: "true", margin: "20" });
  expect(Math.abs(roomy.width - cropped.width - 2 * 0.2 * cropped.width)).toBeLessThan(8);

  const before = await edited({}, [{ field: "background_image", bytes: await square("#0000ff") }]);
  expect(before.at(5, 5)).toEqual([0, 0, 255]);
  expect(await used(person)).toBe(1);
});

test("a mended matte brings the original back where it was cut away, and takes away what was left", async () => {
  const matte = await edited({ mask_only: "true" });
  expect([matte.width, matte.height, matte.channels]).toEqual([320, 240, 1]);
  const corner = (fill: string) =>
    Buffer.from(`<svg width="320" height="240"><rect width="40" height="40" fill="${fill}"/></svg>`);
  const middle = Buffer.from('<svg width="320" height="240"><rect x="160" y="110" width="20" height="20"/></svg>');
  const mended = await sharp(matte.bytes)
    .composite([{ input: corner("#fff") }, { input: middle }])
    .png()
    .toBuffer();
  const again = await edited({}, [{ field: "matte", bytes: mended }]);
  expect(again.at(10, 10)).toEqual([0xcf, 0xd6, 0xda, 255]);
  expect(again.at(170, 120)[3]).toBe(0);
  expect(again.at(140, 120)[3]).toBe(255);
  // Deep behind the subject there is only its own colour: it must not turn black.
  const behind = await edited({ blur: "20" }, [{ field: "matte", bytes: mended }]);
  expect(behind.at(170, 120)[0]).toBeGreaterThan(200);
  const cropped = await edited({ crop: "true", margin: "0" }, [{ field: "matte", bytes: mended }]);
  expect(cropped.at(0, 0)[3]).toBe(255);
});

test("another caller's cut-out is not found, and fields that are wrong are named", async () => {
  const stranger = await app.person();
  expect(await problemOf(await edit(stranger, job))).toEqual([404, "not-found"]);
  expect(await problemOf(await edit(app.caller(), job))).toEqual([404, "not-found"]);
  const form = new FormData();
  form.append("shadow", "10");
  expect(await problemOf(await person.call(`/api/jobs/${job}/files/7/edit`, { form }))).toEqual([404, "not-found"]);
  const wrong = { blur: "0", shadow: "101", margin: "51", background: "reddish", crop: "perhaps", colour: "red" };
  for (const [field, value] of Object.entries(wrong))
    expect(await problemOf(await edit(person, job, { [field]: value }))).toEqual([400, "invalid-request", field]);
  expect(await problemOf(await edit(person, job, { blur: "5", background: "red" }))).toEqual([
    ...[400, "invalid-request", "blur"],
  ]);
  expect(await problemOf(await edit(person, job, {}, [{ field: "matte", bytes: await square("#fff") }]))).toEqual([
    ...[422, "cannot-process", "matte"],
  ]);
  const noPng = new TextEncoder().encode("GIF89a, or so it says");
  expect(await problemOf(await edit(person, job, {}, [{ field: "matte", bytes: noPng }]))).toEqual([
    ...[422, "cannot-process", "matte"],
  ]);
  expect(await problemOf(await edit(person, job, {}, [{ field: "files", bytes: await square("#fff") }]))).toEqual([
    ...[400, "invalid-request", "files"],
  ]);
});

test("a deleted job's cut-out is gone at once; without editable nothing stays after the delivery", async () => {
  const guest = app.caller();
  const deleted = await cutOut(guest);
  await guest.call(`/api/jobs/${deleted}`, { method: "DELETE" });
  expect(await problemOf(await edit(guest, deleted))).toEqual([410, "gone"]);

  const answer = await guest.run("remove-background", [{ name: "ball.svg", bytes: drawing }], { editable: "false" });
  await answer.bytes();
  expect(answer.headers.get("x-job")).toBeNull();
  const { jobs } = (await (await guest.call("/api/jobs")).json()) as { jobs: { id: string }[] };
  expect(await problemOf(await edit(guest, jobs[0]?.id ?? ""))).toEqual([422, "cannot-process"]);
});

// product: steps-before
test("a damaged matte or background is refused with its field", async () => {
  const noise = Buffer.from(Array.from({ length: 320 * 240 }, (_, i) => (i * i * 7) % 251));
  const grey = await sharp(noise, { raw: { width: 320, height: 240, channels: 1 } })
    .png()
    .toBuffer();
  const bytes = grey.subarray(0, grey.length / 2);
  for (const field of ["matte", "background_image"])
    expect(await problemOf(await edit(person, job, {}, [{ field, bytes }]))).toEqual([422, "broken-image", field]);
  const form = new FormData();
  form.append("files", new Blob([drawing]), "ball.svg");
  form.append("background_image", new Blob([new Uint8Array(bytes)]), "behind.png");
  const answer = await person.call("/api/remove-background/", { form });
  expect(await problemOf(answer)).toEqual([422, "broken-image", "background_image"]);
});

test("steps before the cut are edited along: the matte has the size of what they left", async () => {
  const form = new FormData();
  form.append(
    "recipe",
    JSON.stringify([{ crop: { left: 60, top: 20, width: 220, height: 200 } }, { "remove-background": {} }]),
  );
  form.append("files", new Blob([drawing]), "ball.svg");
  const other = await app.person();
  const answer = await other.call("/api/recipes/run", { form });
  expect([answer.status, answer.headers.get("x-credits-charged")]).toEqual([200, "1"]);
  await answer.bytes();
  const id = answer.headers.get("x-job") ?? "";
  const blurred = await edit(other, id, { blur: "30" });
  expect(await sharp(await blurred.bytes()).metadata()).toMatchObject({ width: 220, height: 200 });
});

/** A head so small beside its body that the person networks are overruled. */
const floatingHead = new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">
  <rect width="100%" height="100%" fill="#cfd6da"/><rect x="170" y="20" width="60" height="60" fill="#e61e1e"/>
  <rect x="100" y="80" width="200" height="200" fill="#1e1ee6"/></svg>`);

async function cutHead(caller: TestCaller, fields: Record<string, string> = {}) {
  const answer = await caller.run("remove-background", [{ name: "head.svg", bytes: floatingHead }], fields);
  expect(answer.status).toBe(200);
  await answer.bytes();
  return { id: answer.headers.get("x-job") ?? "", headers: answer.headers };
}
const alphaAt = async (bytes: Uint8Array, x: number, y: number) => {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return data[(y * info.width + x) * 4 + 3];
};

test("a cut-out of a page of a PDF is edited with that page behind it", async () => {
  const ball = "0.8 g 0 0 160 120 re f 0.9 0.1 0.1 rg 60 40 40 40 re f";
  const bytes = pdfFile({ pages: [{ box: [0, 0, 50, 50] }, { box: [0, 0, 160, 120], content: ball }] });
  const answer = await person.run("remove-background", [{ name: "ball.pdf", bytes }], { page: "2" });
  expect(answer.status).toBe(200);
  await answer.bytes();
  const blurred = await edit(person, answer.headers.get("x-job") ?? "", { blur: "10" });
  expect(blurred.status).toBe(200);
  expect(await sharp(await blurred.bytes()).metadata()).toMatchObject({ width: 320, height: 240 });
});

// product: candidates
test("a cut-out that lost a body says so, shows its candidates, and gives another one at no cost", async () => {
  const other = await app.person();
  const { id, headers } = await cutHead(other);
  expect([headers.get("x-candidates"), headers.get("x-incomplete")]).toEqual(["2", "true"]);
  const row = JSON.parse(headers.get("x-report") ?? "{}");
  expect(row).toMatchObject({ incomplete: true, candidates: { count: 2, shown: 1 } });
  expect(row.notes).toContain("A large part of the person may be missing.");
  expect(row.candidates.confidences).toHaveLength(2);
  expect(row.candidates.confidences[0]).toBe(row.confidence);
  const view = (await (await other.call(`/api/jobs/${id}`)).json()) as { files: { candidates?: object }[] };
  expect(view.files[0]).toMatchObject({ incomplete: true, candidates: row.candidates });
  const { receipt } = (await (await other.call(`/api/jobs/${id}/receipt`)).json()) as { receipt: { files: object[] } };
  expect(receipt.files[0]).toMatchObject({ incomplete: true, candidates: row.candidates });

  const sheet = await other.call(`/api/jobs/${id}/files/0/candidates`);
  expect([sheet.status, sheet.headers.get("content-type")]).toEqual([200, "image/png"]);
  const thumbnails = await sheet.bytes();
  expect(await sharp(thumbnails).metadata()).toMatchObject({ width: 200, height: 300, channels: 4 });
  expect([await alphaAt(thumbnails, 100, 100), await alphaAt(thumbnails, 100, 250)]).toEqual([0, 255]);

  const shown = await edit(other, id);
  expect(await alphaAt(await shown.bytes(), 200, 200)).toBe(0);
  const joined = await edit(other, id, { candidate: "2" });
  expect(joined.headers.get("x-confidence")).toBe(row.candidates.confidences[1].toFixed(3));
  expect(await alphaAt(await joined.bytes(), 200, 200)).toBe(255);
  const cropped = await edit(other, id, { candidate: "2", crop: "true", margin: "0", background: "#ffffff" });
  const { width = 0 } = await sharp(await cropped.bytes()).metadata();
  expect(Math.abs(width - 200)).toBeLessThan(8);
  expect(await used(other)).toBe(1);
});

test("a candidate that there is not is named, and another caller's thumbnails are not found", async () => {
  const other = await app.person();
  const { id } = await cutHead(other);
  expect(await problemOf(await edit(other, id, { candidate: "3" }))).toEqual([422, "cannot-process", "candidate"]);
  expect(await problemOf(await edit(other, id, { candidate: "4" }))).toEqual([400, "invalid-request", "candidate"]);
  expect(await problemOf(await person.call(`/api/jobs/${id}/files/0/candidates`))).toEqual([404, "not-found"]);
  expect(await problemOf(await other.call(`/api/jobs/${id}/files/3/candidates`))).toEqual([404, "not-found"]);
  const alone = await cutOut(other);
  expect(await problemOf(await other.call(`/api/jobs/${alone}/files/0/candidates`))).toEqual([422, "cannot-process"]);
  expect(await problemOf(await edit(other, alone, { candidate: "2" }))).toEqual([422, "cannot-process", "candidate"]);
  await other.call(`/api/jobs/${id}`, { method: "DELETE" });
  expect(await problemOf(await other.call(`/api/jobs/${id}/files/0/candidates`))).toEqual([410, "gone"]);
});

test("without editable no candidate is kept, and what is missing is said all the same", async () => {
  const { headers } = await cutHead(await app.person(), { editable: "false" });
  expect([headers.get("x-candidates"), headers.get("x-incomplete")]).toEqual([null, "true"]);
});

test("free edits are counted with the free previews of the day", async () => {
  let status = 200;
  for (let i = 0; i < 40 && status === 200; i += 1) {
    const answer = await edit(person, job, { mask_only: "true" });
    await answer.bytes();
    status = answer.status;
  }
  expect(status).toBe(429);
});

// Last: it moves the clock.
// product: edits-end
test("after its time a cut-out is deleted, and can no longer be edited", async () => {
  const other = await app.person();
  const { id } = await cutHead(other);
  clock.advance(13 * 60_000);
  await app.sweep();
  expect((await edit(other, id, { candidate: "2" })).status).toBe(200);
  clock.advance(61_000);
  await app.sweep();
  expect(await problemOf(await edit(other, id))).toEqual([410, "gone"]);
  expect(await problemOf(await other.call(`/api/jobs/${id}/files/0/candidates`))).toEqual([410, "gone"]);
  expect(readdirSync(app.dataFolder, { recursive: true }).filter((name) => String(name).includes(id))).toEqual([]);
});
