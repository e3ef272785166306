import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { type MortalService, prepareMortalService } from "../../testing/mortal-service.ts";
import { samplePng } from "../../testing/pictures.ts";

let service: MortalService;
beforeAll(async () => {
  service = await prepareMortalService();
});
afterAll(() => service.close());

const spool = () => readdirSync(join(service.folder, "spool"));
/** True once nothing is left to clear away, false when the server ends before. */
async function isThrough(exited: Promise<unknown>): Promise<boolean> {
  let hasExited = false;
  exited.finally(() => {
    hasExited = true;
  });
  await expect.poll(async () => hasExited || (await sums())?.kept === 0, { timeout: 10_000 }).toBe(true);
  return !hasExited;
}
const sums = async () => {
  const rows = await rowsOf<{ wrong: number; doubled: number; kept: number }>(
    service.db.execute(sql`
      select (select count(*)::int from allowances a where total_used <>
          (select coalesce(sum(credits), 0) from credit_entries e where e.holder = a.holder)) as wrong,
        (select count(*)::int from (select 1 from credit_entries where kind = 'charge'
          group by job_id, file_index having count(*) > 1) twice) as doubled,
        (select count(*)::int from jobs where removed_at is null) as kept`),
  );
  return rows[0];
};

test("killed between any two steps: no file is charged twice, no credit is lost, nothing stays on the disk", {
  timeout: 300_000,
}, async () => {
  let server = await service.start();
  try {
    let step = 0;
    for (let hasDied = true; hasDied; ) {
      step++;
      const headers = { authorization: `Bearer ${await service.issuer.token(`person-${step}`)}` };
      const send = (more: Record<string, string> = {}) => {
        const form = new FormData();
        form.append("quality", "60");
        form.append("files", new Blob([new Uint8Array(samplePng(20, 20))]), "a.png");
        form.append("files", new Blob([new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1"))]), "b.png");
        return fetch(`${server.baseUrl}/api/compress/`, {
          method: "POST",
          body: form,
          headers: { ...headers, "idempotency-key": "the-key", ...more },
        }).then(
          async (answer) => ((await answer.bytes()).length > 0 ? answer.status : 0),
          () => 0,
        );
      };
      const used = async () =>
        ((await (await fetch(`${server.baseUrl}/api/user-info`, { headers })).json()) as { service_count: number })
          .service_count;

      const first = await send({ "x-die-at-step": String(step) });
      // After the answer it may still die while it clears away; it is through when the job's row says so.
      hasDied = first === 0 || !(await isThrough(server.exited));
      await server.stop();
      server = await service.start();

      const about = `killed before step ${step}, answered ${first}`;
      expect(spool(), about).toEqual([]);
      // Killed after the answer and before it was written down: then the file was free, which harms nobody.
      expect(await used(), about).toBeLessThanOrEqual(first === 200 ? 1 : 0);
      if (!hasDied) expect(await used(), about).toBe(1);
      expect(await send(), about).toBe(200);
      expect(await used(), about).toBe(1);
      await expect.poll(async () => (await sums())?.kept, { timeout: 10_000, message: about }).toBe(0);
      expect(spool(), about).toEqual([]);
      expect(await sums(), about).toEqual({ wrong: 0, doubled: 0, kept: 0 });
    }
    // Far fewer would mean that the steps were not counted.
    expect(step).toBeGreaterThan(8);
  } finally {
    await server.stop();
  }
});
