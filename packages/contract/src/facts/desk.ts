/** Roles at the operator's desk, the least first; each may do what those before it may. */
export const deskRoles = ["read-only", "support", "owner"] as const;
export type DeskRole = (typeof deskRoles)[number];

/** Whether a role may do what needs the other one. */
export const hasRole = (role: DeskRole, needed: DeskRole): boolean =>
  deskRoles.indexOf(role) >= deskRoles.indexOf(needed);

/** What the audit log calls each change that is made at the desk or by its command. */
export const deskActions = [
  "operator-granted",
  "operator-revoked",
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

/** What the server sends to others, with retries: mails, webhooks of jobs, and results to the address of a call (`output_url`). */
export const deliveryKinds = ["mail", "webhook", "output"] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Jobs at the desk, by what stands in the way: a job that was taken up is `working`, one with a file that failed is `failed`. */
export const deskJobStates = ["waiting", "working", "failed"] as const;
export type DeskJobState = (typeof deskJobStates)[number];

/** The most days that a network is blocked for at a time. */
export const mostBlockedDays = 366;

/** The most days that a plan is granted for at a time. */
export const mostGrantedDays = 1_100;

/** The most credits that one adjustment gives or takes. */
export const mostAdjustedCredits = 10_000;

/** The most days that the desk's figures cover at a time, by what a figure sums. */
export const mostFigureDays = { day: 366, month: 1_100 } as const;
export type FigureStep = keyof typeof mostFigureDays;
