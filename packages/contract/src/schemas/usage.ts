import { z } from "zod";
import { operationNames } from "../facts/operations/index.ts";

/** Maximum span of one response: a leap year. */
export const maxUsageDays = 366;

const day = z.iso.date();
/** PostgreSQL has no year 0, and the days before `to` must be valid dates too. */
const usageDay = day.refine((text) => text >= "2000-01-01", "Please choose days from 2000-01-01 on.");
export const usageSpan = z.object({
  from: usageDay.optional().meta({ description: "The first day, UTC. Default: 29 days before the last." }),
  to: usageDay.optional().meta({ description: "The last day, UTC. Default: today." }),
});

const usageRow = z.object({
  day,
  operation: z.enum(operationNames).meta({ description: "For a recipe, its first step." }),
  key: z
    .object({
      id: z.string(),
      name: z.string().nullable().meta({ description: "Null if the key was deleted." }),
      last_four: z.string().nullable(),
    })
    .nullable()
    .meta({ description: "Null for the website." }),
  files: z.int().meta({ description: "Charged files, without refunded ones." }),
  credits: z.int().meta({ description: "Credits charged, without refunded ones." }),
});
export type UsageRow = z.infer<typeof usageRow>;

export const usage = z.object({
  from: day,
  to: day,
  rows: z
    .array(usageRow)
    .meta({ description: "By day, operation and key, the oldest day first. Days without usage are left out." }),
});
export type Usage = z.infer<typeof usage>;
