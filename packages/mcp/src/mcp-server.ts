import {
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { DomainError, manifestOf, operationNames, presets } from "@tintype/contract";
import { faultOf, needsNetwork, quotePictures, readStep, readSteps, recipeNamed } from "@tintype/toolkit";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import { filesSchema, optionFields, resultFields, toolNameOf } from "./operation-schema.ts";
import { findSome, plain, runResult, runWork, tellResult, type Work } from "./run-work.ts";
import type { Workplace } from "./workplace.ts";

type Arguments = Record<string, unknown>;
type Wish = z.infer<typeof wishSchema>;

const wishSchema = z.object({ files: filesSchema, ...resultFields("") });
const stepSchema = z.partialRecord(z.enum(operationNames), z.record(z.string(), z.unknown()));
const recipeSchema = z
  .union([z.string(), z.array(stepSchema).min(1)])
  .describe(
    `The name of a recipe, or steps such as [{"resize": {"width": 1200}}, {"convert": {"target_format": "webp"}}], whose options are those of the operations' tools. Recipes: ${presets.map(({ name }) => name).join(", ")}. The resource tintype://recipes has their steps, and those of the account.`,
  );
const optionsSchema = z
  .record(z.string(), z.unknown())
  .describe('Options of the operation, as its own tool takes them, such as {"quality": 60}.');

const usageResult = z.object({
  where: z.string(),
  plan: z.string().optional(),
  credits_used: z.int().optional(),
  credits_limit: z.int().optional(),
  resets_at: z.string().nullable().optional(),
  session_credits_taken: z.int(),
  session_credits_most: z.int(),
});

const quoteResult = z.object({
  credits: z.int(),
  files: z.int(),
  session_credits_left: z.int(),
  refusals: z.array(z.object({ path: z.string(), code: z.string(), detail: z.string() })),
  losses: z.array(z.string()),
});

/** Makes a server for each connection, or each request of HTTP; all of them work at one place. */
export const mcpServerAt =
  (place: Workplace): McpServerFactory =>
  () => {
    const server = new McpServer(
      { name: "tintype", title: "Tintype", version: manifest.version },
      {
        instructions: `Tools for pictures in these folders: ${place.folders.roots.join(", ")}. ${place.backend.whereabouts} Results are new files; no file is ever overwritten.`,
      },
    );
    addOperations(server, place);
    addRecipes(server, place);
    addQuote(server, place);
    addUsage(server, place);
    return server;
  };

const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false } as const;
const reads = { readOnlyHint: true } as const;

function addOperations(server: McpServer, place: Workplace): void {
  const openWorldHint = place.backend.kind === "server";
  for (const operation of operationNames) {
    const { label, summary, description, nameSuffix, secondPicture, fields } = manifestOf(operation);
    // Another format has another ending, and a cut-out has a name of its own.
    const usualSuffix = nameSuffix || "target_format" in fields ? "" : `-${operation}`;
    const needs =
      needsNetwork(operation) && !openWorldHint ? " It needs networks that `tintype install` fetches once." : "";
    server.registerTool(
      toolNameOf(operation),
      {
        title: label,
        description: `${summary}. ${description}${needs}`,
        inputSchema: z.strictObject({ files: filesSchema, ...optionFields(operation), ...resultFields(usualSuffix) }),
        outputSchema: runResult,
        annotations: { ...writes, openWorldHint },
      },
      (sent: Arguments, ctx) =>
        answering(async () => {
          const { options, wish } = split(sent);
          const { [secondPicture?.field ?? ""]: second, ...own } = options;
          const secondPicturePath = typeof second === "string" ? await place.folders.existing(second) : undefined;
          return runTool(
            place,
            { work: { steps: [readStep(operation, own)], secondPicturePath }, wish, usualSuffix },
            ctx,
          );
        }),
    );
  }
}

function addRecipes(server: McpServer, place: Workplace): void {
  server.registerTool(
    "run_recipe",
    {
      title: "Run a recipe",
      description: "Do several steps to each picture, without loss between them.",
      inputSchema: z.strictObject({
        recipe: recipeSchema,
        files: filesSchema,
        ...resultFields("-<name of the recipe>"),
      }),
      outputSchema: runResult,
      annotations: { ...writes, openWorldHint: place.backend.kind === "server" },
    },
    ({ recipe, ...wish }, ctx) =>
      answering(async () => {
        const name = typeof recipe === "string" ? recipe : "recipe";
        const usualSuffix = `-${name.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase()}`;
        return runTool(place, { work: await recipeWork(place, recipe), wish, usualSuffix }, ctx);
      }),
  );
  server.registerResource(
    "recipes",
    "tintype://recipes",
    { title: "Recipes", description: "Recipes that run_recipe knows by name.", mimeType: "application/json" },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: "application/json", text: await listRecipes(place) }] }),
  );
}

const listRecipes = async ({ backend }: Workplace): Promise<string> =>
  JSON.stringify(
    (await backend.recipes()).map(({ name, about, steps }) => ({
      ...{ name, about },
      steps: steps.map(({ operation, options }) => ({ [operation]: options })),
    })),
  );

async function recipeWork({ backend }: Workplace, recipe: z.infer<typeof recipeSchema>): Promise<Work> {
  if (typeof recipe !== "string") return { steps: readSteps(recipe) };
  const [first, ...others] = recipeNamed(recipe, await backend.recipes()).steps;
  if (!first) throw new DomainError("not-found", { detail: `The recipe ${recipe} has no steps.` });
  return { steps: [first, ...others] };
}

function addQuote(server: McpServer, place: Workplace): void {
  server.registerTool(
    "quote",
    {
      title: "Price beforehand",
      description:
        "Tell what an operation or a recipe would cost for these files in credits, and which of them would be refused. Give either operation, with its options, or recipe. No file is sent or written.",
      inputSchema: z.strictObject({
        files: filesSchema,
        operation: z.enum(operationNames).optional(),
        options: optionsSchema.optional(),
        recipe: recipeSchema.optional(),
      }),
      outputSchema: quoteResult,
      annotations: reads,
    },
    ({ files, operation, options = {}, recipe }) =>
      answering(async () => {
        if ((operation === undefined) === (recipe === undefined))
          throw new DomainError("invalid-request", { detail: "Please give an operation or a recipe, one of the two." });
        const work =
          recipe === undefined && operation !== undefined
            ? { steps: [readStep(operation, options)] as const }
            : await recipeWork(place, recipe ?? "");
        const pictures = await findSome(place, files, "");
        const { credits, refusals, losses } = await quotePictures(pictures, { work, backend: place.backend });
        const told = {
          ...{ credits, files: pictures.length, session_credits_left: place.cap.most - place.cap.taken() },
          refusals: refusals.map(({ path, ...rest }) => ({ ...rest, path: path ?? "" })),
          // Of 200 files most lose the same.
          losses: [...new Set(losses.map(({ detail }) => detail))],
        };
        return { content: [{ type: "text", text: tellQuote(told, place) }], structuredContent: told };
      }),
  );
}

/** Hosts may show a model the text alone. */
function tellQuote(
  { files, credits, session_credits_left: left, refusals, losses }: z.infer<typeof quoteResult>,
  { backend, account }: Workplace,
): string {
  const isOver = account !== undefined && credits > left;
  return [
    `${files === 1 ? "1 file" : `${files} files`} would take ${credits} credits. ${backend.whereabouts}`,
    ...(isOver ? [`This session may take ${left} more credits.`] : []),
    ...refusals.map(({ path, detail }) => plain(`${path || "All"}: refused. ${detail}`)),
    ...losses.map(plain),
  ].join("\n");
}

function addUsage(server: McpServer, place: Workplace): void {
  const read = async (): Promise<z.infer<typeof usageResult>> => {
    const usage = await place.account?.usage();
    return {
      where: place.backend.whereabouts,
      ...(usage
        ? {
            plan: usage.plan,
            credits_used: usage.serviceCount,
            credits_limit: usage.limit,
            resets_at: usage.resetsAt,
          }
        : {}),
      session_credits_taken: place.cap.taken(),
      session_credits_most: place.cap.most,
    };
  };
  server.registerTool(
    "get_usage",
    {
      title: "Credits",
      description: "Tell where pictures are worked on, and which credits are used and left.",
      inputSchema: z.strictObject({}),
      outputSchema: usageResult,
      annotations: reads,
    },
    () =>
      answering(async () => {
        const usage = await read();
        return { content: [{ type: "text", text: JSON.stringify(usage) }], structuredContent: usage };
      }),
  );
  server.registerResource(
    "usage",
    "tintype://usage",
    { title: "Usage", description: "Credits of the account and of this session.", mimeType: "application/json" },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(await read()) }],
    }),
  );
}

/** The fields that every tool has, and the operation's own. */
function split(sent: Arguments): { wish: Wish; options: Arguments } {
  const { files, output_folder, suffix, preview, ...options } = sent;
  return { wish: wishSchema.parse({ files, output_folder, suffix, preview }), options };
}

async function runTool(
  place: Workplace,
  order: { work: Work; wish: Wish; usualSuffix: string },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -1;
  const onProgress = (progress: number, total: number, message: string) => {
    // The protocol wants progress that grows.
    if (progressToken === undefined || progress <= last) return;
    last = progress;
    const params = { progressToken, progress, total, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // the caller has gone
  };
  const { result, preview } = await runWork(place, order, { signal: mcpReq.signal, onProgress });
  const isError = result.files.every(({ outcome }) => outcome === "failed" || outcome === "stopped");
  return {
    content: [{ type: "text", text: tellResult(result) }, ...(preview ? [{ type: "image" as const, ...preview }] : [])],
    structuredContent: result,
    isError,
  };
}

/** A refusal is an answer that the model can act on. */
async function answering(act: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await act();
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem;
    return { content: [{ type: "text", text: faultOf(problem).reason }], isError: true };
  }
}
