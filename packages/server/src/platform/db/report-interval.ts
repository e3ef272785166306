import type { ReportInterval } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";

const length = { day: "2026-11-22".length, month: "2026-11".length } as const;

/** The day of a `date`, or its month, as text. Group by its position in the list: its length is a parameter. */
export const stepOfDay = (day: SQL, by: ReportInterval): SQL => sql`left(${day}::text, ${length[by]}::int)`;

/** The same for a timestamp, UTC. */
export const stepOfMoment = (at: SQL, by: ReportInterval): SQL =>
  stepOfDay(sql`((${at}) at time zone 'UTC')::date`, by);

/** SQL condition: the timestamp is on one of the days, UTC. */
export const isOnDays = (at: SQL, { from, to }: { from: string; to: string }): SQL =>
  sql`${at} >= ${`${from}T00:00:00Z`}::timestamptz and ${at} < ${`${to}T00:00:00Z`}::timestamptz + interval '24 hours'`;
