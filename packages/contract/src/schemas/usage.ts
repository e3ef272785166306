import { z } from "zod";
import { operationNames } from "../facts/operations/index.ts";

/** Maximum span of one response: a leap year. */
export const mostUsageDays = 366;

const day = z.iso.date();
/** PostgreSQL has no year 0, and the days before `to` must be valid dates too. */
const askedDay = day.refine((text) => text >= "2000-01-01", "Please choose days from 2000-01-01 on.");
export const usageSpan = z.object({
  from: askedDay
    .optional()
    .meta({ description: "The first day, UTC; 29 days before the last one where it is left out." }),
  to: askedDay.optional().meta({ description: "The last day, UTC; today where it is left out." }),
});

const usageRow = z.object({
  day,
  operation: z.enum(operationNames).meta({ description: "Of a recipe: its first step." }),
  key: z
    .object({
      id: z.string(),
      name: z.string().nullable().meta({ description: "Null: the key is gone." }),
      last_four: z.string().nullable(),
    })
    .nullable()
    .meta({ description: "Null: the website, signed in." }),
  files: z.int().meta({ description: "Files that were paid for, without those whose credits came back." }),
  credits: z.int().meta({ description: "Their price, without credits that came back." }),
});
export type UsageRow = z.infer<typeof usageRow>;

export const usage = z.object({
  from: day,
  to: day,
  rows: z
    .array(usageRow)
    .meta({ description: "By day, operation and key, the oldest day first. Days without use have none." }),
});
export type Usage = z.infer<typeof usage>;
