import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { firstKill, killStride } from "../../testing/deep.ts";
import { createCaller } from "../../testing/harness.ts";
import { type KillableService, prepareKillableService } from "../../testing/killable-service.ts";
import { accounts } from "../accounts/tables.ts";
import { grantRole } from "./operators.ts";

let service: KillableService;
beforeAll(async () => {
  // No picture is processed here: engines with a model start on first use.
  service = await prepareKillableService({ TINTYPE_SANDBOX: "off", TINTYPE_WORK: "model" });
});
afterAll(() => service.close());

const reason = "They asked for it";
const accountOf = async (subject: string) => {
  const [account] = await service.db.select().from(accounts).where(eq(accounts.subject, subject));
  if (!account) throw new Error(`${subject} has no account.`);
  return account.id;
};
/** The adjustment, its audit entry, and whether the counter equals the sum of the ledger. */
async function billingStateOf(accountId: string) {
  const [row] = await rowsOf<{ adjusted: number; logged: number; isEven: boolean }>(
    service.db.execute(sql`
      select (select count(*)::int from credit_entries where holder = ${`person:${accountId}`} and kind = 'adjust') as adjusted,
        (select count(*)::int from admin_audit where subject = ${accountId}) as logged,
        coalesce((select sum(total_used) from allowances where holder = ${`person:${accountId}`}), 0)
          = coalesce((select sum(credits) from credit_entries where holder = ${`person:${accountId}`}), 0) as "isEven"`),
  );
  return row;
}

test("an operator's change of credits that is killed before any step is in counter, ledger and log, or in none of them", {
  timeout: 300_000,
}, async () => {
  let server = await service.start();
  const callerOf = async (subject: string) => createCaller(server.baseUrl, await service.issuer.token(subject));
  try {
    await (await callerOf("operator")).call("/api/user-info");
    const operator = await accountOf("operator");
    await grantRole(service.db, { at: new Date(), actor: "command", reason, accountId: operator, role: "support" });
    let deaths = 0;
    for (let step = firstKill, isAlive = false; !isAlive; step += killStride) {
      const subject = `person-${step}`;
      await (await callerOf(subject)).call("/api/service-use-multiple", { json: { file_count: 30 } });
      const id = await accountOf(subject);
      const adjust = async (headers: Record<string, string>) =>
        (await callerOf("operator")).call(`/api/admin/people/${id}/credits`, { json: { credits: 5, reason }, headers });
      const answer = await adjust({ "x-die-at-step": String(step) }).catch(() => undefined);
      isAlive = answer !== undefined;
      if (answer) expect(answer.status).toBe(200);
      else {
        deaths++;
        await server.exited;
        server = await service.start();
      }
      const before = await billingStateOf(id);
      expect(before, subject).toMatchObject({ logged: before?.adjusted, isEven: true });
      expect((await adjust({})).status).toBe(200);
      const adjusted = Number(before?.adjusted) + 1;
      expect(await billingStateOf(id), subject).toEqual({ adjusted, logged: adjusted, isEven: true });
    }
    // Fewer would mean that the steps were not counted.
    expect(deaths).toBeGreaterThan(4 / killStride);
  } finally {
    await server.stop();
  }
});
