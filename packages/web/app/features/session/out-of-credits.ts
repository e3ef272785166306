import { limits, text, type UserInfo } from "@tintype/contract";
import type { BatchActions, CreditUsage, PlannedBatch, Shortage } from "../../lib/credit-shortage.ts";
import { formatComingMoment } from "../../lib/format-date.ts";
import { countOf } from "../../lib/size.ts";
import type { Session } from "./session.ts";

/** `goTo` navigates; the page shows `reason`. */
type Page = { goTo(path: string, reason?: string): void };
type RefusedBatch = BatchActions & {
  pictureCount: number;
  /** The reason, for a guest, who has not seen it anywhere else. */
  sentence: string;
  /** Pictures that the remaining credits cover, where known. */
  left?: number;
};

/** docs/product.md: what happens when the server refused for lack of credits. */
export function handleOutOfCredits(session: Session, batch: RefusedBatch, { goTo }: Page): void {
  const { pictureCount, sentence, left = 0, run, runSignedIn } = batch;
  if (session.read().visitor.kind === "person") {
    goTo("/pricing", text.considerUpgrading);
    return;
  }
  const isMany = pictureCount > 1;
  const returnAnd = (action: () => void) => () => {
    if (isMany) goTo("/");
    action();
  };
  session.openDialog({
    tab: "signup",
    reason: sentence,
    onSuccess: returnAnd(runSignedIn),
    offer: left > 0 ? { label: `Run ${left} now`, action: returnAnd(() => run(left)) } : undefined,
  });
  if (isMany) goTo("/pricing", sentence);
}

/**
 * The same check before anything is sent, as far as the browser knows. A guest's batch must fit as a whole; if it
 * does not, the page shows what follows ("shown"). For a person: a message, and how many pictures the credits cover.
 */
export function findShortage(
  session: Session,
  { pictureCount, creditsEach, usage, filesPerBatch, ...actions }: PlannedBatch,
  page: Page,
): Shortage | "shown" | undefined {
  const { visitor, info } = session.read();
  const needed = pictureCount * creditsEach;
  if (visitor.kind === "person") {
    const limit = info?.limit ?? usage?.limit;
    const used = info?.service_count ?? usage?.used;
    // The counter of an expired window says nothing about the current one.
    const resetsAt = info?.resets_at ?? null;
    const isOld = resetsAt !== null && Date.parse(resetsAt) <= Date.now();
    if (limit === undefined || used === undefined || isOld || used + needed <= limit) return undefined;
    const left = Math.max(0, limit - used);
    const hint = info ? renewalHint(info) : "";
    const shortage =
      left === 0
        ? monthlyLimitSentence(limit, info)
        : `This needs ${countOf(needed, "credit")}, and you have ${left} left.`;
    return { sentence: shortage + hint, left: Math.floor(left / creditsEach) };
  }
  if (!usage) return undefined;
  if (usage.limit === 0) {
    // Guests cannot use the service.
    session.openDialog({ reason: signInFirst, onSuccess: actions.runSignedIn });
    return "shown";
  }
  const isTooMany = filesPerBatch !== undefined && pictureCount > filesPerBatch;
  if (!isTooMany && usage.used + needed <= usage.limit) return undefined;
  const left = Math.floor(Math.max(0, usage.limit - usage.used) / creditsEach);
  const sentence = guestSentence(needed, usage);
  const batch = { pictureCount, sentence, left: Math.min(left, filesPerBatch ?? left), ...actions };
  handleOutOfCredits(session, batch, page);
  return "shown";
}

/** Where more credits come from: the next window, or the verification link. */
function renewalHint({ resets_at, must_verify_email }: UserInfo): string {
  if (must_verify_email) return " Verify your email to get all your credits: follow the link we sent you.";
  return resets_at === null ? "" : ` Your credits reset on ${formatComingMoment(resets_at)}.`;
}

/** docs/product.md's sentence speaks of a month; credits before verification never renew. */
const monthlyLimitSentence = (limit: number, info: UserInfo | undefined): string =>
  info?.must_verify_email ? `You have used your first ${limit} credits.` : text.monthlyLimit(limit);

const signInFirst = "Please sign in. Your images stay here and run right after.";

function guestSentence(needed: number, { used, limit }: CreditUsage): string {
  const left = Math.max(0, limit - used);
  const shortage =
    left === 0
      ? `Your ${limit} free credits are used up.`
      : `This needs ${countOf(needed, "credit")}, and you have ${left} of ${limit} free credits left.`;
  const monthlyCredits = limits.hobby.credits;
  return `${shortage} Sign up for ${monthlyCredits} a month: your images stay here and run right after.`;
}
