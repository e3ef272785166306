import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../platform/db/database.ts";
import { createDatabase } from "../../../testing/backends.ts";
import { startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { proxyTo } from "../../../testing/outage.ts";
import { samplePng } from "../../../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const prefer = "wait=60, cancel-on-disconnect";
const send = (caller: TestCaller, { signal, ...headers }: { signal?: AbortSignal; prefer: string }) => {
  const form = new FormData();
  form.append("quality", "60");
  form.append("files", new Blob([new Uint8Array(samplePng(48, 32))]), "a.png");
  return caller.call("/api/compress/", {
    form,
    headers: { "idempotency-key": "order-4711", ...headers },
    ...(signal ? { signal } : {}),
  });
};
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;

test("a caller who prefers it pays nothing after hanging up, and is charged once when the key is used again", async () => {
  const person = await app.person();
  const caller = new AbortController();
  await app.whileEnginesAreHeld(async () => {
    const sent = send(person, { signal: caller.signal, prefer });
    await expect.poll(() => used(person)).toBe(1);
    caller.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(() => used(person)).toBe(0);
  });
  const again = await send(person, { prefer });
  expect(again.headers.get("preference-applied")).toBe(prefer);
  await again.bytes();
  expect([again.status, await used(person)]).toEqual([200, 1]);
});

test("work that a repeat follows continues after the first caller has hung up, and is charged once", async () => {
  const person = await app.person();
  const caller = new AbortController();
  const path = await app.whileEnginesAreHeld(async () => {
    const sent = send(person, { signal: caller.signal, prefer });
    await expect.poll(() => used(person)).toBe(1);
    const repeat = await send(person, { prefer });
    expect(repeat.status).toBe(202);
    caller.abort();
    await expect(sent).rejects.toThrow();
    return repeat.headers.get("location") ?? "";
  });
  await expect.poll(async () => (await (await person.call(path)).json()) as object).toMatchObject({ state: "done" });
  const result = await person.call(`${path}/result`);
  await result.bytes();
  expect([result.status, await used(person)]).toEqual([200, 1]);
});

test("a job whose caller has its address no longer ends with the connection or the process", async () => {
  const person = await app.person();
  const path = await app.whileEnginesAreHeld(async () => {
    const sent = await send(person, { prefer: "wait=0, cancel-on-disconnect" });
    expect(sent.status).toBe(202);
    await sent.bytes();
    return sent.headers.get("location") ?? "";
  });
  const id = path.split("/").at(-1) ?? "";
  await expect
    .poll(() => rowsOf(app.db.execute(sql`select state, waited, process from jobs where id = ${id}`)))
    .toEqual([{ state: "done", waited: false, process: null }]);
  expect(await used(person)).toBe(1);
});

test("a caller that hangs up while the database is away pays for nothing", async () => {
  const postgres = await createDatabase();
  const outage = await proxyTo({ port: Number(new URL(postgres.url).port) });
  const url = new URL(postgres.url);
  url.port = String(outage.port);
  const app = await startTestApp({ environment: { DATABASE_URL: url.href } });
  try {
    const { token } = await app.person();
    const form = new FormData();
    form.append("quality", "60");
    form.append("files", new Blob([new Uint8Array(samplePng(48, 32))]), "a.png");
    const caller = new AbortController();
    const jobs = () => rowsOf(app.db.execute(sql`select state, charged from jobs`));
    await app.whileEnginesAreHeld(async () => {
      const answer = fetch(`${app.baseUrl}/api/compress/`, {
        method: "POST",
        body: form,
        signal: caller.signal,
        headers: { authorization: `Bearer ${token}` },
      }).catch(() => "hung up");
      await expect.poll(jobs).toEqual([{ state: "queued", charged: 1 }]);
      outage.cut();
      caller.abort();
      expect(await answer).toBe("hung up");
      // The server has noticed it, but could not record it.
      await expect.poll(() => fetch(`${app.baseUrl}/readyz`).then(({ status }) => status)).toBe(503);
      outage.mend();
      await expect
        .poll(async () => (await jobs().catch(() => []))[0])
        .toMatchObject({ state: expect.stringMatching(/failed|cancelled/), charged: 0 });
    });
  } finally {
    await app.close();
    await outage.close();
    await postgres.close();
  }
});
