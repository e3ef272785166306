import { parseArgs } from "node:util";
import { type DeskRole, defaultInvitationDays, deskRoles, maxInvitationDays } from "@tintype/contract";
import { invoiceSpan } from "@tintype/contract/schemas";
import { z } from "zod";
import { readConfig } from "../config.ts";
import { invitationLink, listInvitations, makeInvitation, revokeInvitation } from "../features/accounts/invitations.ts";
import { writeChange } from "../features/desk/audit.ts";
import { grantRole, listOperators, namedAccount, revokeRole } from "../features/desk/operators.ts";
import { invoiceCsv } from "../features/invoices/csv.ts";
import { systemClock } from "../platform/clock.ts";
import { openPglite } from "../platform/db/pglite.ts";
import { openPostgres } from "../platform/db/postgres.ts";

const operatorUsage = `npm run admin -- grant EMAIL|ACCOUNT [--role owner|support|read-only] [--reason TEXT]
npm run admin -- revoke EMAIL|ACCOUNT [--reason TEXT]
npm run admin -- list
npm run admin -- invite [EMAIL] [--role owner|support|read-only] [--days 7]
npm run admin -- invitations
npm run admin -- uninvite INVITATION
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
      role: { type: "string" },
      days: { type: "string", default: String(defaultInvitationDays) },
      reason: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return operatorUsage;
  const [act, who, ...rest] = positionals;
  const isAlone = act === "list" || act === "invoices" || act === "invitations";
  const takesOne = act === "grant" || act === "revoke" || act === "uninvite";
  const isKnown = (isAlone && who === undefined) || (takesOne && who !== undefined) || act === "invite";
  if (!isKnown || rest.length > 0) throw new Error(operatorUsage);
  const named = deskRoles.find((one) => one === values.role);
  if (values.role !== undefined && !named) throw new Error(`--role: choose ${deskRoles.join(", ")}.`);
  const role = named ?? "owner";
  const days = Number(values.days);
  if (!(Number.isInteger(days) && days >= 1 && days <= maxInvitationDays))
    throw new Error(`--days: choose 1 to ${maxInvitationDays}.`);
  if (act === "invite" && who !== undefined && !z.email().safeParse(who).success)
    throw new Error(`${who} is not an email address.`);
  const span = act === "invoices" ? readDays(values) : undefined;
  const config = readConfig(environment);
  const { db, close } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite({ folder: config.dataFolder });
  try {
    if (span) return (await invoiceCsv(db, span)).trimEnd();
    const now = systemClock.now();
    const noted = { at: now, actor: "command", reason: values.reason ?? "by the command of the server" };
    if (act === "invite")
      return await db.transaction(async (tx) => {
        const wanted = { email: who, role: named, days, createdBy: "command" };
        const { invitation, token } = await makeInvitation(tx, wanted, now);
        await writeChange(tx, {
          ...noted,
          action: "invitation-made",
          subject: invitation.id,
          after: { role: invitation.role, expires_at: invitation.expires_at },
        });
        return `${invitationLink(config.origin, token)}\nOpen until ${dayOf(new Date(invitation.expires_at))}, for ${who ?? "whoever has the link"}. It is shown only now. To revoke it: npm run admin -- uninvite ${invitation.id}`;
      });
    if (act === "invitations") {
      const all = await listInvitations(db, now);
      return all.length === 0
        ? "There are no invitations."
        : all
            .map(
              ({ id, state, email, role: given, expires_at }) =>
                `${state.padEnd(7)}  ${id}  ${email ?? "anyone with the link"}  ${given ?? "no role"}  until ${dayOf(new Date(expires_at))}`,
            )
            .join("\n");
    }
    if (act === "uninvite" && who !== undefined) {
      await db.transaction(async (tx) => {
        if (!(await revokeInvitation(tx, { id: who, now }))) throw new Error(`${who} is not an open invitation.`);
        await writeChange(tx, { ...noted, action: "invitation-revoked", subject: who });
      });
      return `${who} lets nobody in any more.`;
    }
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
    const by = noted;
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
