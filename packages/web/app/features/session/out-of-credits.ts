import { text } from "@tintype/contract";
import type { Session } from "./session.ts";

type Page = { notify: { error(sentence: string): void }; goTo(path: string): void };
type Refused = {
  pictureCount: number;
  /** Why, for a guest, who has not seen it anywhere else. */
  sentence: string;
};
type Wanted = { pictureCount: number; usage: { used: number; limit: number } | undefined };

/** SPEC.md §6 and §8: what happens to somebody whom the server refused for want of credits. */
export function meetOutOfCredits(session: Session, { pictureCount, sentence }: Refused, { notify, goTo }: Page): void {
  if (session.read().visitor.kind === "person") {
    notify.error(text.considerUpgrading);
    goTo("/pricing");
    return;
  }
  session.openDialog({ reason: sentence });
  if (pictureCount > 1) goTo("/pricing");
}

/**
 * The same before anything is sent, as far as the browser knows; whether it came to that. A guest's batch has to fit
 * whole; a person is stopped at the limit, and where a batch goes over it, by the server.
 */
export function foreseeOutOfCredits(session: Session, { pictureCount, usage }: Wanted, page: Page): boolean {
  const { visitor, info } = session.read();
  if (visitor.kind === "person") {
    const limit = info?.limit ?? usage?.limit;
    const used = info?.service_count ?? usage?.used;
    // What was known before the allowance began anew says nothing.
    const resetsAt = info?.resets_at ?? null;
    const isOld = resetsAt !== null && Date.parse(resetsAt) <= Date.now();
    if (limit === undefined || used === undefined || used < limit || isOld) return false;
    page.notify.error(text.monthlyLimit(limit));
    return true;
  }
  if (!usage || usage.used + pictureCount <= usage.limit) return false;
  meetOutOfCredits(session, { pictureCount, sentence: guestSentence(pictureCount, usage) }, page);
  return true;
}

function guestSentence(pictureCount: number, { used, limit }: { used: number; limit: number }): string {
  const left = Math.max(0, limit - used);
  const lack =
    left === 0
      ? `Your ${limit} free credits are used up.`
      : `This needs ${pictureCount} credits, and of your ${limit} free ones there ${left === 1 ? "is 1" : `are ${left}`} left.`;
  return `${lack} Log in or sign up to go on; your pictures stay here.`;
}
