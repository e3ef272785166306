/** Roles at the operator's desk, least privileged first. Each includes the permissions of those before it. */
export const deskRoles = ["read-only", "support", "owner"] as const;
export type DeskRole = (typeof deskRoles)[number];

/** Whether a role includes the needed one. */
export const hasRole = (role: DeskRole, needed: DeskRole): boolean =>
  deskRoles.indexOf(role) >= deskRoles.indexOf(needed);

/** Names in the audit log of the changes made at the desk or by its command. */
export const deskActions = [
  "operator-granted",
  "operator-revoked",
  "invitation-made",
  "invitation-revoked",
  "admin-key-made",
  "credits-adjusted",
  "sessions-ended",
  "keys-revoked",
  "person-blocked",
  "person-unblocked",
  "address-verified",
  "person-exported",
  "person-deleted",
  "payment-refunded",
  "plan-cancelled",
  "plan-kept",
  "plan-granted",
  "granted-plan-ended",
  "job-ended",
  "delivery-retried",
  "network-blocked",
  "network-unblocked",
  "message-answered",
  "message-marked",
] as const;
export type DeskAction = (typeof deskActions)[number];

/** What the server delivers with retries: mails, job webhooks, and results to a call's `output_url`. */
export const deliveryKinds = ["mail", "webhook", "output"] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** States to filter jobs by at the desk. A job is `working` once a worker has started it, and `failed` if any of its files failed. */
export const deskJobStates = ["waiting", "working", "failed"] as const;
export type DeskJobState = (typeof deskJobStates)[number];

/** How long an invitation can be used, in days. */
export const maxInvitationDays = 90;
export const defaultInvitationDays = 7;

/** Maximum days for which a network can be blocked at a time. */
export const maxBlockedDays = 366;

/** Maximum days for which a plan can be granted at a time. */
export const maxGrantedDays = 1_100;

/** Maximum credits that one adjustment adds or removes. */
export const maxAdjustedCredits = 10_000;

/** Maximum days that one request for the desk's figures covers, by the period that each figure sums. */
export const maxFigureDays = { day: 366, month: 1_100 } as const;
export type ReportInterval = keyof typeof maxFigureDays;

export const peopleOrders = ["newest", "most-used"] as const;
export type PeopleOrder = (typeof peopleOrders)[number];
