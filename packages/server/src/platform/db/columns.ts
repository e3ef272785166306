import { integer, text, timestamp } from "drizzle-orm/pg-core";

/** A point in time, with its zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/** The columns of a row that is sent to an address of the caller's, with retries. */
export const sending = () => ({
  url: text("url").notNull(),
  state: text("state", { enum: ["waiting", "sent", "failed"] })
    .notNull()
    .default("waiting"),
  tries: integer("tries").notNull().default(0),
  /** When it is tried next; while it is being sent, when others may take it over. Null in the end. */
  dueAt: moment("due_at"),
  /** What the last attempt failed with, as a sentence for the operator. */
  lastProblem: text("last_problem"),
});
