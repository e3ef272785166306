import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createLocalBus } from "../../../platform/bus/local.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { createLog } from "../../../platform/log.ts";
import { snapshot } from "../../../testing/harness.ts";
import { createJobWatch } from "./watch.ts";

// Rows of watched jobs are polled every 1.5 s. A caller that started to wait between the query and its result was told
// that the job had ended. It got an error while the job kept running.
test("a caller that begins to wait while the rows are read is not told that the job has ended", async () => {
  const { db, close } = await openPglite(snapshot());
  const watch = createJobWatch({ db, bus: createLocalBus(), log: createLog("silent") });
  try {
    await db.execute(sql`
      insert into jobs (id, owner, tier, operation, steps, state, waited, charged, replay, created_at)
      select 'job_' || n, 'person:a', 'hobby', 'compress', '[]', 'queued', true, 1, false, now()
      from generate_series(1, 6000) n`);
    let ended = 0;
    const begin = performance.now();
    for (let n = 1; n <= 6_000 && performance.now() - begin < 2_500; n++) {
      const waiting = await watch.awaitEnd(`job_${n}`);
      void waiting.ended.then(() => ended++);
      await nextTurn();
    }
    expect(ended).toBe(0);
  } finally {
    watch.close();
    await close();
  }
});
