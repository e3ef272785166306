import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: { TINTYPE_CALLER_PREVIEWS: "3", TINTYPE_NETWORK_PREVIEWS: "8", TINTYPE_TRUSTED_PROXIES: "127.0.0.1" },
  });
});
afterAll(() => app.close());

const files = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `${i}.png`, bytes: samplePng(30, 20) }));
const from = (address: string) => ({ "x-forwarded-for": address });

test("free previews are counted by the file, for a caller and for all callers of a network", async () => {
  const [first, second] = [await app.person(), await app.person()];
  const preview = async (caller: TestCaller, count: number, address = "192.0.2.1") => {
    const answer = await caller.run("preview", files(count), { side: "16" }, from(address));
    await answer.bytes();
    return answer;
  };
  expect((await preview(first, 2)).status).toBe(200);
  // Two more would make four, so the whole request is refused.
  const refused = await preview(first, 2);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
  // Another network does not raise the caller's limit.
  expect((await preview(first, 1, "198.51.100.7")).status).toBe(429);

  // Another caller of the network has their own count, until the network's is used up.
  expect((await preview(second, 3)).status).toBe(200);
  const guests = await Promise.all([1, 2, 3].map(() => preview(app.caller(), 1)));
  expect(guests.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  expect((await preview(app.caller(), 1, "198.51.100.8")).status).toBe(200);
  // Operations that cost credits do not count.
  expect((await first.run("compress", files(1), { quality: "60" }, from("192.0.2.1"))).status).toBe(200);
});

test("a caller whose previews are used up is refused before the picture is read", async () => {
  const guest = app.caller();
  const header = from("192.0.2.200");
  for (let i = 0; i < 3; i++) expect((await guest.run("preview", files(1), { side: "16" }, header)).status).toBe(200);
  const form = new FormData();
  form.append("files", new Blob(["no picture"]), "a.png");
  const answer = await guest.call("/api/preview/", { form, headers: header });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([429, "too-many-requests"]);
});

test("previews leave half of the free computing time, so that they never stand in the way of a run", async () => {
  const person = await app.person();
  const address = from("203.0.113.77");
  const preview = async () => {
    const answer = await person.run("preview", files(1), { side: "16" }, address);
    const detail = answer.status === 200 ? undefined : ((await answer.json()) as { detail: string }).detail;
    return { status: answer.status, detail };
  };
  expect((await preview()).status).toBe(200);
  const use = (seconds: number) =>
    app.db.execute(sql`update free_engine_use set engine_ms = ${seconds * 1000}::bigint`);
  await use(299);
  expect((await preview()).status).toBe(200);
  await use(301);
  const refused = await preview();
  expect(refused).toMatchObject({ status: 429, detail: expect.stringContaining("half of the free computing time") });
  expect((await person.run("compress", files(1), { quality: "60" }, address)).status).toBe(200);
});
