import { text } from "@tintype/contract";
import type { Session } from "./session.ts";

type Refused = {
  pictureCount: number;
  /** Why, for a guest, who has not seen it anywhere else. */
  sentence: string;
  /** Known before anything was sent; else the server said 403. */
  isForeseen: boolean;
};
type Page = { notify: { error(sentence: string): void }; goTo(path: string): void };

/** SPEC.md §6 and §8: what happens to somebody whose credits do not suffice. */
export function meetOutOfCredits(session: Session, refused: Refused, { notify, goTo }: Page): void {
  const { visitor, info } = session.read();
  if (visitor.kind !== "person") {
    session.openDialog({ reason: refused.sentence });
    if (refused.pictureCount > 1) goTo("/pricing");
    return;
  }
  if (refused.isForeseen && info) {
    notify.error(text.monthlyLimit(info.limit));
    return;
  }
  notify.error(text.considerUpgrading);
  goTo("/pricing");
}
