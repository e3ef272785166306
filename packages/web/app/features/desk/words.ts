import type { DeskAction } from "@tintype/contract";

/** The names of the audit log's actions. */
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
  "delivery-retried": "Delivery retried",
  "network-blocked": "Network blocked",
  "network-unblocked": "Network unblocked",
  "message-answered": "Message answered",
  "message-marked": "Message marked",
};

const steps = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

/** `3 hours ago`; less than a minute is `just now`. */
export function ageText(at: string, now = Date.now()): string {
  const ageMs = now - new Date(at).getTime();
  const step = steps.find(({ ms }) => ageMs >= ms);
  return step ? new Intl.RelativeTimeFormat("en").format(-Math.floor(ageMs / step.ms), step.unit) : "just now";
}
