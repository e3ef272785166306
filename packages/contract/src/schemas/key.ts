import { z } from "zod";
import { keyModes, keyNameLength, maxDailyFiles, maxOverlapHours } from "../facts/key.ts";
import { heldScopes, keyScopes } from "../facts/scope.ts";
import { exactObject } from "./exact-object.ts";

export const newApiKey = exactObject({
  name: z.string().trim().min(1, "Please name the key.").max(keyNameLength),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1, "Please choose at least one scope.")
    .refine((all) => new Set(all).size === all.length, "Name each scope once."),
  mode: z.enum(keyModes).default("live"),
  expires_at: z.iso.datetime().nullable().default(null).meta({ description: "Null if the key does not expire." }),
  daily_files: z
    .int()
    .min(1, "Please allow at least one file a day.")
    .max(maxDailyFiles)
    .nullable()
    .default(null)
    .meta({ description: "The most files it may process on a day (UTC). Null: no limit of its own." }),
});
export const rotateApiKey = exactObject({ overlap_hours: z.int().min(0).max(maxOverlapHours).default(0) });

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  mode: z.enum(keyModes),
  scopes: z.array(z.enum(heldScopes)),
  last_four: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable().meta({ description: "To the minute." }),
  daily_files: z.int().nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeys = z.object({ keys: z.array(apiKey) });
export const createdApiKey = apiKey.extend({ key: z.string().meta({ description: "Returned only once." }) });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
