import { parseArgs } from "node:util";
import { type DeskRole, deskRoles } from "@tintype/contract";
import { invoiceSpan } from "@tintype/contract/schemas";
import { readConfig } from "../config.ts";
import { grantRole, listOperators, namedAccount, revokeRole } from "../features/desk/operators.ts";
import { invoiceCsv } from "../features/invoices/csv.ts";
import { systemClock } from "../platform/clock.ts";
import { openPglite } from "../platform/db/pglite.ts";
import { openPostgres } from "../platform/db/postgres.ts";

const operatorUsage = `npm run admin -- grant EMAIL|ACCOUNT [--role owner|support|read-only] [--reason TEXT]
npm run admin -- revoke EMAIL|ACCOUNT [--reason TEXT]
npm run admin -- list
npm run admin -- invoices --from 2026-04-01 --to 2026-04-30 > invoices.csv`;

/**
 * Appoints the desk's operators in the configured database. Returns lines for the terminal.
 * @throws Error with a message for the person at the terminal
 */
export async function runOperatorCommand(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      role: { type: "string", default: "owner" },
      reason: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return operatorUsage;
  const [act, who, ...rest] = positionals;
  const isAlone = act === "list" || act === "invoices";
  const isKnown = (isAlone && who === undefined) || (act === "grant" || act === "revoke" ? who : undefined);
  if (!isKnown || rest.length > 0) throw new Error(operatorUsage);
  const role = deskRoles.find((one) => one === values.role);
  if (!role) throw new Error(`--role: choose ${deskRoles.join(", ")}.`);
  const span = act === "invoices" ? readDays(values) : undefined;
  const config = readConfig(environment);
  const { db, close } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite({ folder: config.dataFolder });
  try {
    if (span) return (await invoiceCsv(db, span)).trimEnd();
    if (act === "list" || who === undefined) {
      const found = await listOperators(db);
      if (found.length === 0) return "Nobody has access to the operator's desk.";
      return found
        .map(
          ({ account, ...one }) =>
            `${one.role.padEnd(9)}  ${account.id}  ${account.email}  since ${dayOf(one.grantedAt)}`,
        )
        .join("\n");
    }
    const account = await namedAccount(db, who);
    const by = { at: systemClock.now(), actor: "command", reason: values.reason ?? "by the command of the server" };
    if (act === "grant") {
      await grantRole(db, { ...by, accountId: account.id, role });
      return `${account.email} (${account.id}) is now ${nounOf[role]} at ${config.origin}/admin.`;
    }
    if (!(await revokeRole(db, { ...by, accountId: account.id })))
      throw new Error(`${account.email} (${account.id}) has no role at the desk.`);
    return `${account.email} (${account.id}) has no role at the desk any more.`;
  } finally {
    await close();
  }
}

/** @throws Error if one is missing or not a day */
function readDays({ from, to }: { from?: string | undefined; to?: string | undefined }): { from: string; to: string } {
  const parsed = invoiceSpan.safeParse({ from, to });
  if (!parsed.success || parsed.data.from > parsed.data.to)
    throw new Error("--from and --to: name the first and the last day, like 2026-04-01.");
  return parsed.data;
}

const nounOf: Record<DeskRole, string> = { owner: "an owner", support: "support", "read-only": "a reader" };
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
