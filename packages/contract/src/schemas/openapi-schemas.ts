import { z } from "zod";
import { errors } from "../facts/error.ts";
import { creditHistory, creditLine, publicConfig, userInfo } from "./account.ts";
import { transaction } from "./billing.ts";
import { credits, job, jobEvent, jobFile, report, reportRow } from "./job.ts";
import { quote } from "./quote.ts";
import { receipt } from "./receipt.ts";
import { recipe } from "./recipe.ts";
import { usage } from "./usage.ts";
import { webhook, webhookDelivery, webhookEvent } from "./webhook.ts";

export type Json = Record<string, unknown>;

/** RFC 9457 problem details with extension members. `detail` is one sentence a person can act on. */
const problem = z
  .object({
    type: z.string().meta({ description: "The URL of the error in the reference." }),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(errors)).meta({ description: "Stable, for use by programs." }),
    detail: z.string().meta({ description: "What happened and what to do about it." }),
    retryable: z.boolean().meta({ description: "Whether the same request may succeed later." }),
    field: z.string().optional().meta({ description: "The field or parameter at fault." }),
    resets_at: z.iso.datetime().optional().meta({ description: "When the credits renew, if they are used up." }),
    smallest_bytes: z.int().optional().meta({ description: "The smallest size reached, if max_bytes cannot be met." }),
    requestId: z.string().meta({ description: "Quote it when you contact support." }),
  })
  .meta({ description: "RFC 9457 problem details." });
export type Problem = z.infer<typeof problem>;

const message = z.object({ message: z.string() }).meta({ description: "No work was needed, and nothing was charged." });

/** Named schemas: generated clients get types called `Job` and `Problem`. */
const named = {
  Problem: problem,
  Message: message,
  Job: job,
  JobFile: jobFile,
  JobEvent: jobEvent,
  Credits: credits,
  Report: report,
  ReportRow: reportRow,
  UserInfo: userInfo,
  PublicConfig: publicConfig,
  CreditHistory: creditHistory,
  CreditLine: creditLine,
  Quote: quote,
  Receipt: receipt,
  Recipe: recipe,
  Transaction: transaction,
  Usage: usage,
  Webhook: webhook,
  WebhookDelivery: webhookDelivery,
  WebhookEvent: webhookEvent,
} as const satisfies Record<string, z.ZodType>;

for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

export const refTo = (name: keyof typeof named): Json => ({ $ref: `#/components/schemas/${name}` });

/** Converts to an OpenAPI 3.1 schema, with a `$ref` for named schemas. */
export function outputSchema(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  return id ? { $ref: `#/components/schemas/${id}` } : inline(schema, "output");
}

/** The JSON schema of a request: values in their parsed form, and only mandatory ones as required. */
export function inputSchema(schema: z.ZodType): { properties?: Json; required: string[] } & Json {
  // Callers send the input of a body's transform. Its output is internal to the server.
  const sent = schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : schema;
  const parsed = inline(sent, "output");
  const { required = [] } = inline(sent, "input") as { required?: string[] }; // an object schema has this key
  return { ...parsed, required };
}

/** All named schemas, for `components`. */
export const namedSchemas = (): Json =>
  Object.fromEntries(Object.entries(named).map(([id, schema]) => [id, convert(schema, "output").definitions[id]]));

const inline = (schema: z.ZodType, io: "input" | "output"): Json => convert(schema, io).root;

/** Rewrites zod's references: `$defs/Job` becomes `components/schemas/Job`. */
function convert(schema: z.ZodType, io: "input" | "output"): { root: Json; definitions: Json } {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Bounds of every safe integer say nothing, and one of them is more than some generators read.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // zod's 200-character pattern for date-times only repeats the format.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      // Later releases add fields, which clients generated today must accept.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const {
    $schema: _,
    $defs: definitions = {},
    ...root
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json & { $defs?: Json }; // JSON of an object
  for (const definition of Object.values(definitions)) delete (definition as Json)["id"]; // each is an object schema
  return { root, definitions };
}
