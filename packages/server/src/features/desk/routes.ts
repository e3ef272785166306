import { DomainError } from "@tintype/contract";
import { deskEndpoints } from "@tintype/contract/schemas";
import type { FastifyRequest } from "fastify";
import type { Person } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
import { listInvitations } from "../accounts/invitations.ts";
import { listMessages } from "../contact/messages.ts";
import type { GrantEnd } from "../credits/ledger.ts";
import { invoiceCsv } from "../invoices/csv.ts";
import { countJobs } from "../jobs/record/overview.ts";
import {
  adjustCredits,
  answer,
  cancelPlan,
  type DeskDependencies,
  deletePerson,
  endGrantedPlan,
  endSessions,
  exportPerson,
  grantPlan,
  keepPlanOf,
  makeDeskKey,
  mark,
  type OperatorCall,
  refund,
  revokeKeys,
  setBlock,
  verifyAddress,
} from "./actions.ts";
import { listChanges } from "./audit.ts";
import { listDeliveries, retryDelivery } from "./deliveries.ts";
import { readFigures } from "./figures.ts";
import { endInvitation, invitePerson } from "./invite.ts";
import { endJob, listJobs } from "./jobs.ts";
import { blockNetworkUntil, listNetworks, unblock } from "./networks.ts";
import { grantRole, roleOf } from "./operators.ts";
import { findPeople, readPerson } from "./people.ts";

type DeskCall = { caller: Person; request: FastifyRequest; body: { reason: string } };

const operatorCallOf = ({ caller, request, body }: DeskCall): OperatorCall => ({
  operator: caller,
  reason: body.reason,
  requestId: request.id,
});

const grantEndOf = (until: string | null): GrantEnd => (until === null || until === "window" ? until : new Date(until));

/** All calls of the operator's desk. `mount` refuses callers without the row's role. */
export function mountDesk(mount: Mount, dependencies: DeskDependencies): void {
  const { db, clock } = dependencies;
  const rows = deskEndpoints;

  mount(rows.deskOperator, async ({ caller }) => {
    const role = await roleOf(db, caller.accountId);
    // Revoked during this request.
    if (!role) throw new DomainError("not-found");
    return { role, email: caller.email };
  });
  mount(rows.deskClaim, async ({ caller, request }) => {
    const by = { at: clock.now(), actor: caller.accountId, requestId: request.id };
    const reason = "the link in the log of a fresh installation";
    await grantRole(db, { ...by, reason, accountId: caller.accountId, role: "owner", onlyIfFirst: true });
    return { role: "owner" as const, email: caller.email };
  });

  mount(rows.deskInvitations, async () => ({ invitations: await listInvitations(db, clock.now()) }));
  mount(rows.deskInvite, (call) => {
    const { email, role, days } = call.body;
    return invitePerson(dependencies, operatorCallOf(call), { email, role, days });
  });
  mount(rows.deskRevokeInvitation, (call) => endInvitation(dependencies, operatorCallOf(call), call.params.id));

  mount(rows.deskPeople, ({ query }) => findPeople(dependencies, query));
  mount(rows.deskPerson, ({ params }) => readPerson(dependencies, params.id));
  mount(rows.deskAdjustCredits, (call) =>
    adjustCredits(dependencies, operatorCallOf(call), {
      id: call.params.id,
      credits: call.body.credits,
      end: grantEndOf(call.body.until),
    }),
  );
  mount(rows.deskEndSessions, (call) =>
    endSessions(dependencies, operatorCallOf(call), { id: call.params.id, sessionId: call.body.session_id }),
  );
  mount(rows.deskRevokeKeys, (call) =>
    revokeKeys(dependencies, operatorCallOf(call), { id: call.params.id, keyId: call.body.key_id }),
  );
  mount(rows.deskBlock, (call) =>
    setBlock(dependencies, operatorCallOf(call), { id: call.params.id, isBlocked: true }),
  );
  mount(rows.deskUnblock, (call) =>
    setBlock(dependencies, operatorCallOf(call), { id: call.params.id, isBlocked: false }),
  );
  mount(rows.deskVerifyAddress, (call) => verifyAddress(dependencies, operatorCallOf(call), call.params.id));
  mount(rows.deskExport, (call) => exportPerson(dependencies, operatorCallOf(call), call.params.id));
  mount(rows.deskDelete, (call) =>
    deletePerson(dependencies, operatorCallOf(call), { id: call.params.id, email: call.body.email }),
  );
  mount(rows.deskCancelPlan, (call) => cancelPlan(dependencies, operatorCallOf(call), call.params.id));
  mount(rows.deskKeepPlan, (call) => keepPlanOf(dependencies, operatorCallOf(call), call.params.id));
  mount(rows.deskGrantPlan, (call) => {
    const { plan, until } = call.body;
    return grantPlan(dependencies, operatorCallOf(call), { id: call.params.id, plan, until: new Date(until) });
  });
  mount(rows.deskEndGrantedPlan, (call) => endGrantedPlan(dependencies, operatorCallOf(call), call.params.id));
  mount(rows.deskRefund, (call) => {
    const { amount_minor: amountMinor, ends_plan: endsPlan } = call.body;
    return refund(dependencies, operatorCallOf(call), { paymentId: call.params.id, amountMinor, endsPlan });
  });

  mount(rows.deskFigures, ({ query }) => readFigures(dependencies, { by: query.by, from: query.from, to: query.to }));

  mount(rows.deskInvoices, async ({ query, reply }) =>
    reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="invoices-${query.from}-${query.to}.csv"`)
      .send(await invoiceCsv(db, query)),
  );

  mount(rows.deskJobs, ({ query }) => listJobs(dependencies, { ...query, before: query.before, code: query.code }));
  mount(rows.deskJobCounts, () => countJobs(db));
  mount(rows.deskEndJob, (call) => endJob(dependencies, operatorCallOf(call), call.params.id));

  mount(rows.deskDeliveries, ({ query }) => listDeliveries(dependencies, { ...query, before: query.before }));
  mount(rows.deskRetryDelivery, (call) =>
    retryDelivery(dependencies, operatorCallOf(call), { kind: call.body.kind, id: call.body.id }),
  );

  mount(rows.deskNetworks, ({ query }) => listNetworks(dependencies, { ...query, before: query.before }));
  mount(rows.deskBlockNetwork, (call) => {
    const { key, until } = call.body;
    return blockNetworkUntil(dependencies, operatorCallOf(call), { key, until: new Date(until) });
  });
  mount(rows.deskUnblockNetwork, (call) => unblock(dependencies, operatorCallOf(call), call.body.key));

  mount(rows.deskMessages, ({ query }) => listMessages(db, { ...query, before: query.before }));
  mount(rows.deskAnswer, (call) =>
    answer(dependencies, operatorCallOf(call), { id: call.params.id, text: call.body.text }),
  );
  mount(rows.deskMark, (call) =>
    mark(dependencies, operatorCallOf(call), { id: call.params.id, isAnswered: call.body.answered }),
  );

  mount(rows.deskAudit, ({ query }) => listChanges(db, { ...query, before: query.before, subject: query.subject }));
  mount(rows.deskMakeKey, (call) =>
    makeDeskKey(dependencies, operatorCallOf(call), {
      name: call.body.name,
      expiresAt: new Date(call.body.expires_at),
    }),
  );
}
