import type { FigureStep } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";

const length = { day: "2026-11-22".length, month: "2026-11".length } as const;

/** The day of a `date`, or its month, as text. Group by its place in the list: its length is a parameter. */
export const stepOfDay = (day: SQL, by: FigureStep): SQL => sql`left(${day}::text, ${length[by]}::int)`;

/** The same of a moment, UTC. */
export const stepOfMoment = (at: SQL, by: FigureStep): SQL => stepOfDay(sql`((${at}) at time zone 'UTC')::date`, by);

/** A condition: the moment is on one of the days, UTC. */
export const isOnDays = (at: SQL, { from, to }: { from: string; to: string }): SQL =>
  sql`${at} >= ${`${from}T00:00:00Z`}::timestamptz and ${at} < ${`${to}T00:00:00Z`}::timestamptz + interval '24 hours'`;
