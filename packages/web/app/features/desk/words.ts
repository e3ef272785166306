import type { DeskAction } from "@tintype/contract";

/** What the audit log's actions are called. */
export const actionWords: Record<DeskAction, string> = {
  "operator-granted": "Role granted",
  "operator-revoked": "Role revoked",
  "admin-key-made": "API key made",
  "credits-adjusted": "Credits adjusted",
  "sessions-ended": "Sessions ended",
  "keys-revoked": "Keys revoked",
  "person-blocked": "Person blocked",
  "person-unblocked": "Person unblocked",
  "address-verified": "Address verified",
  "person-exported": "Data exported",
  "person-deleted": "Account deleted",
  "payment-refunded": "Payment refunded",
  "plan-cancelled": "Plan cancelled",
  "plan-kept": "Cancellation undone",
  "plan-granted": "Plan granted",
  "granted-plan-ended": "Granted plan ended",
  "job-ended": "Job ended",
  "delivery-retried": "Delivery tried again",
  "network-blocked": "Network blocked",
  "network-unblocked": "Network unblocked",
  "message-answered": "Message answered",
  "message-marked": "Message marked",
};

export const momentText = (at: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
