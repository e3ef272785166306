import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { startTestApp } from "../../testing/harness.ts";
import { proxyTo } from "../../testing/outage.ts";
import { noisePng } from "../../testing/pictures.ts";
import { startPostgres } from "../../testing/postgres.ts";

test("a caller that hangs up while the database is away pays for nothing", async () => {
  const postgres = await startPostgres();
  const outage = await proxyTo({ port: Number(new URL(postgres.url).port) });
  const url = new URL(postgres.url);
  url.port = String(outage.port);
  const app = await startTestApp({ environment: { DATABASE_URL: url.href } });
  try {
    const { token } = await app.person();
    const form = new FormData();
    form.append("quality", "60");
    form.append("files", new Blob([new Uint8Array(noisePng(1300, 1300))]), "a.png");
    const caller = new AbortController();
    const answer = fetch(`${app.baseUrl}/api/compress/`, {
      method: "POST",
      body: form,
      signal: caller.signal,
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => "hung up");
    const jobs = () => rowsOf(app.db.execute(sql`select state, charged from jobs`));
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
  } finally {
    await app.close();
    await outage.close();
    await postgres.close();
  }
});
