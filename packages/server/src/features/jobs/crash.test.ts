import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { firstKill, killStride } from "../../testing/deep.ts";
import { type KillableService, prepareKillableService } from "../../testing/killable-service.ts";
import { samplePng } from "../../testing/pictures.ts";
import { storedJobs } from "../../testing/stored-jobs.ts";

let service: KillableService;
beforeAll(async () => {
  service = await prepareKillableService();
});
afterAll(() => service.close());

/** The answer broke off: its results count as delivered from just before their last bytes are sent. */
const cut = -1;

const spool = () => storedJobs(join(service.folder, "spool"));
/** True once all of the person's pictures are removed; false if the server exits first. */
async function isThrough(exited: Promise<unknown>, subject: string): Promise<boolean> {
  let hasExited = false;
  exited.finally(() => {
    hasExited = true;
  });
  const kept = async () => {
    const [row] = await rowsOf<{ kept: number }>(
      service.db.execute(sql`
        select count(*)::int as kept from jobs j join accounts a on j.owner = 'person:' || a.id
        where a.subject = ${subject} and j.removed_at is null`),
    );
    return row?.kept;
  };
  await expect.poll(async () => hasExited || (await kept()) === 0).toBe(true);
  return !hasExited;
}
const sums = async () => {
  const rows = await rowsOf<{ wrong: number; doubled: number; kept: number }>(
    service.db.execute(sql`
      select (select count(*)::int from allowances a where total_used <>
          (select coalesce(sum(credits), 0) from credit_entries e where e.holder = a.holder)) as wrong,
        (select count(*)::int from (select 1 from credit_entries where kind = 'charge'
          group by job_id, file_index having count(*) > 1) twice) as doubled,
        (select count(*)::int from jobs where removed_at is null) + (select count(*)::int from job_blobs) as kept`),
  );
  return rows[0];
};

test("killed between any two steps: no file is charged twice, no credit is lost, nothing stays on the disk", {
  timeout: 900_000,
}, async () => {
  let server = await service.start();
  const tries: { about: string; headers: Record<string, string>; answer: number; hasDied: boolean }[] = [];
  const send = (headers: Record<string, string>) => {
    const form = new FormData();
    form.append("quality", "60");
    form.append("files", new Blob([new Uint8Array(samplePng(20, 20))]), "a.png");
    form.append("files", new Blob([new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1"))]), "b.png");
    return fetch(`${server.baseUrl}/api/compress/`, { method: "POST", body: form, headers }).then(
      (answer) =>
        answer.bytes().then(
          ({ length }) => (length > 0 ? answer.status : 0),
          () => cut,
        ),
      () => 0,
    );
  };
  const used = async (headers: Record<string, string>) =>
    ((await (await fetch(`${server.baseUrl}/api/user-info`, { headers })).json()) as { service_count: number })
      .service_count;
  try {
    for (let step = firstKill; tries.at(-1)?.hasDied !== false; step += killStride) {
      const token = await service.issuer.token(`person-${step}`);
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": "the-key" };
      // Create the account first, so that every counted step is one of the job's.
      await used(headers);
      const answer = await send({ ...headers, "x-die-at-step": String(step) });
      // The server may still die during cleanup after the answer. The job's row says when cleanup is done.
      const hasDied = answer <= 0 || !(await isThrough(server.exited, `person-${step}`));
      tries.push({ about: `killed before step ${step}, answered ${answer}`, headers, answer, hasDied });
      await server.stop();
      server = await service.start();
    }
    // The credits held by dead processes return once their leases expire.
    await expect.poll(async () => [(await sums())?.kept, spool()], { timeout: 120_000 }).toEqual([0, []]);
    for (const { about, headers, answer, hasDied } of tries) {
      // Also where it was killed after the answer and before its end was recorded. A refund may come after the pictures are gone.
      const owed = answer === cut ? [0, 1] : [answer === 200 ? 1 : 0];
      await expect.poll(async () => owed.includes(await used(headers)), { message: about }).toBe(true);
      if (!hasDied) expect(await used(headers), about).toBe(1);
      expect(await send(headers), about).toBe(200);
      expect(await used(headers), about).toBe(1);
    }
    await expect.poll(async () => [(await sums())?.kept, spool()], { timeout: 120_000 }).toEqual([0, []]);
    expect(await sums()).toEqual({ wrong: 0, doubled: 0, kept: 0 });
    // Far fewer would mean that the steps were not counted.
    expect(tries.length).toBeGreaterThan(8 / killStride);
  } finally {
    await server.stop();
  }
});
