import { afterAll, beforeAll, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const picture = { name: "photo.png", bytes: samplePng(30, 20) };

// product: charge-on-server
test("service-use reserves, an operation spends the reservation, and the history tells it all", async () => {
  const person = await app.person();
  expect(await (await person.call("/api/service-use", { method: "POST" })).json()).toEqual({ service_count: 1 });
  expect(await (await person.call("/api/service-use-multiple", { json: { file_count: 2 } })).json()).toEqual({
    service_count: 3,
  });
  const answer = await person.run("compress", [picture], { quality: "60" }, { prefer: "respond-async" });
  expect(answer.headers.get("x-credits-remaining")).toBe("97");
  const history = (await (await person.call("/api/credits/history?size=2")).json()) as {
    lines: object[];
    next: string;
  };
  expect(history.lines).toMatchObject([
    { change: "charged", credits: 0, operation: "compress", files: 1, file: "photo.png" },
    { change: "reserved", credits: 2, operation: null, files: 0 },
  ]);
  const rest = await (await person.call(`/api/credits/history?size=2&before=${history.next}`)).json();
  expect(rest).toMatchObject({ lines: [{ change: "reserved", credits: 1 }], next: null });
});

test("a run is one line of the history with its number of files, and says what came back of it and why", async () => {
  const person = await app.person();
  const broken = { name: "b.png", bytes: Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1") };
  const compress = (files: (typeof picture)[]) =>
    person.run("compress", files, { quality: "60" }, { prefer: "respond-async" });
  await compress([picture, broken, { ...picture, name: "c.png" }]);
  await compress([{ ...picture, name: "alone.png" }]);
  const used = async () =>
    ((await (await person.call("/api/user-info")).json()) as { service_count: number }).service_count;
  await expect.poll(used).toBe(3);

  type History = { lines: object[]; next: string | null };
  const page = async (query: string) => (await (await person.call(`/api/credits/history?${query}`)).json()) as History;
  const alone = { change: "charged", files: 1, file: "alone.png", credits: 1, given_back: 0, reason: null };
  const three = {
    change: "charged",
    operation: "compress",
    files: 3,
    file: null,
    credits: 3,
    given_back: 1,
    reason: "The image is damaged and cannot be read.",
  };
  expect(await page("size=50")).toMatchObject({ lines: [alone, three], next: null });
  // Across all pages each run appears once, although the refund was written after the second run.
  const first = await page("size=1");
  expect(first).toMatchObject({ lines: [alone] });
  expect(await page(`size=1&before=${first.next}`)).toMatchObject({ lines: [three], next: null });
});

test("a reservation under a key is made once", async () => {
  const person = await app.person();
  const reserve = (file_count: number) =>
    person.call("/api/service-use-multiple", { json: { file_count }, headers: { "idempotency-key": "r" } });
  expect(await (await reserve(3)).json()).toEqual({ service_count: 3 });
  expect(await (await reserve(3)).json()).toEqual({ service_count: 3 });
  expect((await reserve(4)).status).toBe(422);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 3 });
});

test("at the limit 403, with a sentence; file counts that make no sense 400", async () => {
  const guest = app.caller();
  expect((await guest.call("/api/service-use-multiple", { json: { file_count: 5 } })).status).toBe(200);
  const refused = await guest.call("/api/service-use", { method: "POST" });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    detail: "You have used all 5 credits that guests have. Sign in to continue.",
  });
  for (const file_count of [0, -1, 1.5, "3", 201, null]) {
    const wrong = await guest.call("/api/service-use-multiple", { json: { file_count } });
    expect([wrong.status, ((await wrong.json()) as { field?: string }).field]).toEqual([400, "file_count"]);
  }
});

test("a refusal for want of credits says when they come back, where they do", async () => {
  const refusal = async (plan: "hobby" | "mini") => {
    const person = await app.person(plan);
    await person.call("/api/service-use-multiple", { json: { file_count: 100 } });
    return (await person.call("/api/service-use", { method: "POST" })).json();
  };
  expect(await refusal("hobby")).toMatchObject({ code: "out-of-credits", resets_at: "2026-04-01T00:00:00.000Z" });
  expect(await refusal("mini")).toMatchObject({ code: "out-of-credits", resets_at: "2026-03-11T00:00:00.000Z" });
  const guest = app.caller();
  await guest.call("/api/service-use-multiple", { json: { file_count: 5 } });
  expect(await (await guest.call("/api/service-use", { method: "POST" })).json()).not.toHaveProperty("resets_at");
});

test("user-info and config tell what is left, and when it starts again", async () => {
  const person = await app.person("plus");
  await person.call("/api/service-use", { method: "POST" });
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({
    plan: "plus",
    service_count: 1,
    limit: 500,
    window: "day",
    resets_at: "2026-03-11T00:00:00.000Z",
    fast_lane: { used: 1, limit: 500 },
  });
  expect(await (await person.call("/api/config")).json()).toMatchObject({
    tier: "plus",
    limits: { filesPerBatch: 100 },
    usage: { used: 1, limit: 500 },
  });
  expect(await (await app.caller().call("/api/config")).json()).toMatchObject({
    tier: "guest",
    limits: { filesPerBatch: 5 },
    usage: { used: 0, limit: 5 },
  });
});
