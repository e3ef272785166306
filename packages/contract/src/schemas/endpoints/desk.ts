import { z } from "zod";
import type { DeskRole } from "../../facts/desk.ts";
import { deskScope } from "../../facts/scope.ts";
import {
  adjustCredits,
  adjustedCredits,
  auditEntries,
  auditPage,
  blockNetwork,
  contactMessages,
  countDone,
  deletePerson,
  deliveriesPage,
  deskDeliveries,
  deskFigures,
  deskNetworks,
  deskOperator,
  deskPerson,
  endSessions,
  figuresSpan,
  foundJobs,
  foundPeople,
  grantPlan,
  invitations,
  invite,
  jobCounts,
  jobsPage,
  madeInvitation,
  markMessage,
  messagePage,
  networksPage,
  newDeskKey,
  peopleSearch,
  reasoned,
  refundPayment,
  responseMessage,
  retryDelivery,
  revokeKeys,
  unblockNetwork,
} from "../desk.ts";
import type { Endpoint } from "../endpoint.ts";
import { invoiceSpan } from "../invoice.ts";
import { createdApiKey } from "../key.ts";
import { anyCall, bodyErrors, freshSignInErrors } from "./errors.ts";

/** A call of the operator's desk. Callers without the role get the same response as for an unknown path. */
export type DeskEndpoint = Endpoint & {
  /** The lowest role that may call. `claim` is for the link that a new installation logs. */
  role: DeskRole | "claim";
};

const desk = {
  tag: "About this service",
  access: "person",
  scope: deskScope,
  needsFreshSignIn: true,
} as const;
const readErrors = [...anyCall, ...freshSignInErrors, "not-found"] as const;
const changeErrors = [...readErrors, ...bodyErrors, "conflict"] as const;

const read = { ...desk, role: "read-only", method: "GET", errors: readErrors } as const;
/** A change that operators of this role and above may make. */
const change = <Role extends DeskRole>(role: Role) =>
  ({ ...desk, role, method: "POST", errors: changeErrors }) as const;

/** Calls of the operator's desk. No public document lists them: for anyone else these paths do not exist. */
export const deskEndpoints = {
  deskOperator: {
    ...read,
    path: "/admin/operator",
    summary: "Get the current operator and their role",
    response: { status: 200, body: deskOperator, description: "The operator." },
  },
  deskClaim: {
    tag: desk.tag,
    access: desk.access,
    // The link is the proof. Requiring a fresh sign-in first would reveal to strangers that the link exists.
    role: "claim",
    method: "POST",
    path: "/admin/claim/{token}",
    summary: "Become the first owner, with the link in the log of a new installation",
    response: { status: 200, body: deskOperator, description: "The operator." },
    errors: changeErrors,
  },
  deskPeople: {
    ...read,
    path: "/admin/people",
    summary: "List or find people",
    query: peopleSearch,
    response: { status: 200, body: foundPeople, description: "A page of them." },
  },
  deskPerson: {
    ...read,
    path: "/admin/people/{id}",
    summary: "Get everything about an account",
    response: { status: 200, body: deskPerson, description: "The person." },
  },
  deskInvitations: {
    ...read,
    path: "/admin/invitations",
    summary: "List invitations",
    response: { status: 200, body: invitations, description: "At most a hundred, newest first, without their links." },
  },
  deskInvite: {
    ...change("owner"),
    path: "/admin/invitations",
    summary: "Invite a person",
    body: invite,
    response: { status: 201, body: madeInvitation, description: "The invitation and its link." },
  },
  deskRevokeInvitation: {
    ...change("owner"),
    path: "/admin/invitations/{id}/revoke",
    summary: "Revoke an invitation that nobody has accepted",
    body: reasoned,
    response: { status: 204, description: "Its link lets nobody in." },
  },
  deskAdjustCredits: {
    ...change("support"),
    onlyIn: "service",
    path: "/admin/people/{id}/credits",
    summary: "Add or remove credits",
    body: adjustCredits,
    response: { status: 200, body: adjustedCredits, description: "The credits used, and the limit, afterwards." },
  },
  deskEndSessions: {
    ...change("support"),
    path: "/admin/people/{id}/end-sessions",
    summary: "End one session or all",
    body: endSessions,
    response: { status: 200, body: countDone, description: "The number of sessions ended." },
  },
  deskRevokeKeys: {
    ...change("support"),
    path: "/admin/people/{id}/revoke-keys",
    summary: "Revoke one API key or all",
    body: revokeKeys,
    response: { status: 200, body: countDone, description: "The number of keys revoked." },
  },
  deskBlock: {
    ...change("support"),
    path: "/admin/people/{id}/block",
    summary: "Block an account",
    body: reasoned,
    response: { status: 204, description: "The account is blocked." },
  },
  deskUnblock: {
    ...change("support"),
    path: "/admin/people/{id}/unblock",
    summary: "Unblock an account",
    body: reasoned,
    response: { status: 204, description: "The account is unblocked." },
  },
  deskVerifyAddress: {
    ...change("support"),
    path: "/admin/people/{id}/verify-address",
    summary: "Count an email address as verified",
    body: reasoned,
    response: { status: 204, description: "The account has its whole allowance." },
  },
  deskExport: {
    ...change("support"),
    path: "/admin/people/{id}/export",
    summary: "Export all data of an account",
    body: reasoned,
    response: { status: 200, body: z.record(z.string(), z.unknown()), description: "One JSON document." },
  },
  deskDelete: {
    ...change("owner"),
    path: "/admin/people/{id}/delete",
    summary: "Delete an account at its owner's request",
    body: deletePerson,
    response: { status: 204, description: "It is gone." },
    errors: [...changeErrors, "unavailable"],
  },
  deskCancelPlan: {
    ...change("owner"),
    onlyIn: "service",
    path: "/admin/people/{id}/cancel-plan",
    summary: "Cancel a plan at the end of the paid period",
    body: reasoned,
    response: { status: 204, description: "The cancellation is scheduled." },
    errors: [...changeErrors, "unavailable"],
  },
  deskKeepPlan: {
    ...change("owner"),
    onlyIn: "service",
    path: "/admin/people/{id}/keep-plan",
    summary: "Undo a cancellation",
    body: reasoned,
    response: { status: 204, description: "The plan continues." },
  },
  deskGrantPlan: {
    ...change("owner"),
    onlyIn: "service",
    path: "/admin/people/{id}/grant-plan",
    summary: "Grant a plan for free until a given time",
    body: grantPlan,
    response: { status: 204, description: "The better of this plan and the subscription's applies." },
  },
  deskEndGrantedPlan: {
    ...change("owner"),
    onlyIn: "service",
    path: "/admin/people/{id}/end-granted-plan",
    summary: "End a granted plan",
    body: reasoned,
    response: { status: 204, description: "The subscription's plan applies again." },
  },
  deskRefund: {
    ...change("owner"),
    onlyIn: "service",
    path: "/admin/payments/{id}/refund",
    summary: "Refund a payment in whole or in part",
    body: refundPayment,
    response: { status: 204, description: "The refund was requested." },
    errors: [...changeErrors, "unavailable"],
  },
  deskJobs: {
    ...read,
    path: "/admin/jobs",
    summary: "List waiting, running or failed jobs, newest first",
    query: jobsPage,
    response: { status: 200, body: foundJobs, description: "A page of jobs, without file names." },
  },
  deskJobCounts: {
    ...read,
    path: "/admin/jobs/counts",
    summary: "Count waiting and running jobs, and failures by error code",
    response: { status: 200, body: jobCounts, description: "The current counts." },
  },
  deskEndJob: {
    ...change("support"),
    path: "/admin/jobs/{id}/end",
    summary: "Cancel a waiting or running job, as its owner could",
    body: reasoned,
    response: {
      status: 204,
      description: "The job is cancelled, and the credits of files without a result are refunded.",
    },
  },
  deskDeliveries: {
    ...read,
    path: "/admin/deliveries",
    summary: "List emails, webhooks and outputs that failed or are retried, newest first",
    query: deliveriesPage,
    response: { status: 200, body: deskDeliveries, description: "A page of deliveries, without their contents." },
  },
  deskRetryDelivery: {
    ...change("support"),
    path: "/admin/deliveries/retry",
    summary: "Retry a failed delivery",
    body: retryDelivery,
    response: { status: 204, description: "The delivery is due now, with all its attempts left." },
  },
  deskNetworks: {
    ...read,
    path: "/admin/networks",
    summary: "List networks by free credits used today, most first",
    query: networksPage,
    response: { status: 200, body: deskNetworks, description: "A page of networks, and all blocked ones." },
  },
  deskBlockNetwork: {
    ...change("support"),
    path: "/admin/networks/block",
    summary: "Block guests and free accounts of a network until a given time",
    body: blockNetwork,
    response: { status: 204, description: "The network is blocked until the given time." },
  },
  deskUnblockNetwork: {
    ...change("support"),
    path: "/admin/networks/unblock",
    summary: "Unblock a network",
    body: unblockNetwork,
    response: { status: 204, description: "The network is unblocked." },
  },
  deskMessages: {
    ...read,
    path: "/admin/messages",
    summary: "List messages of the contact form, newest first",
    query: messagePage,
    response: { status: 200, body: contactMessages, description: "A page of results." },
  },
  deskAnswer: {
    ...change("support"),
    path: "/admin/messages/{id}/answer",
    summary: "Answer a message by email",
    body: responseMessage,
    response: { status: 204, description: "The email was queued." },
  },
  deskMark: {
    ...change("support"),
    path: "/admin/messages/{id}/mark",
    summary: "Mark a message as answered or open",
    body: markMessage,
    response: { status: 204, description: "It is marked." },
  },
  deskAudit: {
    ...read,
    path: "/admin/audit",
    summary: "List the audit log, newest first",
    query: auditPage,
    response: { status: 200, body: auditEntries, description: "A page of it." },
  },
  deskFigures: {
    ...read,
    path: "/admin/figures",
    summary: "Get revenue, new and lost subscriptions, and credits by plan and operation, per day or month",
    query: figuresSpan,
    response: {
      status: 200,
      body: deskFigures,
      description: "Each list by day or month, oldest first, without empty ones.",
    },
  },
  deskInvoices: {
    ...read,
    onlyIn: "service",
    path: "/admin/invoices.csv",
    summary: "Export invoices and credit notes of a period as CSV",
    query: invoiceSpan,
    response: { status: 200, file: "text/csv", description: "A line each, under a line of names." },
  },
  deskMakeKey: {
    ...change("read-only"),
    path: "/admin/keys",
    summary: "Create an API key with the scope `admin`",
    body: newDeskKey,
    response: { status: 201, body: createdApiKey, description: "The key, returned only once." },
  },
} as const satisfies Record<string, DeskEndpoint>;
