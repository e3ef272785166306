import { customType, integer, text, timestamp } from "drizzle-orm/pg-core";

/** A timestamp with time zone. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true });

/** Bits of any number, as text of 0 and 1. */
export const varbit = customType<{ data: string }>({ dataType: () => "bit varying" });

/** The columns of a row that is sent to a caller's address, with retries. */
export const sending = () => ({
  url: text("url").notNull(),
  state: text("state", { enum: ["waiting", "sent", "failed"] })
    .notNull()
    .default("waiting"),
  tries: integer("tries").notNull().default(0),
  /** The next attempt; during an attempt, when others may take it over. Null once finished. */
  dueAt: timestamptz("due_at"),
  /** The last attempt's error, as a sentence for the operator. */
  lastProblem: text("last_problem"),
});
