import { stat } from "node:fs/promises";
import {
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { auxiliaryFilesOf, DomainError, isLastStep, manifestOf, operationNames, presets } from "@tintype/contract";
import { textsOf } from "@tintype/contract/reference";
import {
  type FoundPicture,
  faultOf,
  needsNetwork,
  plain,
  quotePictures,
  readPictureDetails,
  readStep,
  readSteps,
  recipeNamed,
  type Work,
} from "@tintype/toolkit";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import { type Call, callSchema, filesSchema, optionFields, resultFields, toolNameOf } from "./operation-schema.ts";
import { describeResult, findSome, runWork } from "./run-work.ts";
import type { Workspace } from "./workspace.ts";

type Arguments = Record<string, unknown>;

// Parsing the work names a wrong operation, with the likely one; the schema need not list them twice.
const stepSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
const stepsSchema = z.array(stepSchema).min(1);
const recipeSchema = z
  .union([z.string(), stepsSchema, z.looseObject({ steps: z.array(z.unknown()) })])
  .describe(
    `The name of a recipe, or steps such as [{"resize": {"width": 1200}}, {"convert": {"target_format": "webp"}}], also as {"steps": [...]} or as JSON text, whose options are those of the operations' tools. Recipes: ${presets.map(({ name }) => name).join(", ")}. The resource tintype://recipes has their steps, and those of the account.`,
  );
const optionsSchema = z
  .record(z.string(), z.unknown())
  .describe('Options of the operation, as its own tool takes them, such as {"quality": 60}.');

type UsageResult = {
  where: string;
  plan?: string;
  credits_used?: number;
  credits_limit?: number;
  resets_at?: string | null;
  session_credits_taken?: number;
  session_credits_max?: number;
  /** In place of all credits, where they have no limit. */
  uses_this_month?: number;
};

type QuoteResult = {
  credits: number;
  files: number;
  known: number;
  session_credits_left: number;
  refusals: { path: string; code: string; detail: string }[];
  losses: string[];
};

/** Creates a server for each connection, or for each HTTP request; all share one workspace. */
export const mcpServerAt =
  (place: Workspace): McpServerFactory =>
  () => {
    const server = new McpServer(
      { name: "tintype", title: "Tintype", version: manifest.version },
      {
        instructions: `Tools for pictures in these folders: ${place.folders.roots.join(", ")}. ${place.backend.locationNote} Relative paths begin at the first of the folders. Results are new files; no file is ever overwritten: where a result exists, another suffix or output_folder helps.`,
      },
    );
    addInspection(server, place);
    addOperations(server, place);
    addRecipes(server, place);
    addQuote(server, place);
    addUsage(server, place);
    return server;
  };

const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false } as const;
const reads = { readOnlyHint: true } as const;

/** Maximum number of paths in one result. */
const maxListed = 500;

function addInspection(server: McpServer, place: Workspace): void {
  server.registerTool(
    "list_images",
    {
      title: "List pictures",
      description: `List the pictures of a folder and below, at most ${maxListed}, with their sizes in bytes.`,
      inputSchema: z.strictObject({
        folder: z.string().min(1).optional().describe("Default: all allowed folders."),
      }),
      annotations: reads,
    },
    ({ folder }) =>
      withErrors(async () => {
        const folders = folder === undefined ? place.folders.roots : [folder];
        const found = await Promise.all(folders.map((one) => picturesBelow(place, one)));
        const pictures = found.flat();
        const listed = await Promise.all(
          pictures.slice(0, maxListed).map(async ({ path }) => ({ path, size_bytes: (await stat(path)).size })),
        );
        const lines = listed.map(({ path, size_bytes: size }) => plain(`${path}: ${size} bytes`));
        const left = pictures.length - listed.length;
        const said = pictures.length === 0 ? "There are no pictures." : lines.join("\n");
        const rest = left > 0 ? `\nAnd ${left} more: name a folder below.` : "";
        return textResult(said + rest, { pictures: listed, left_off: left });
      }),
  );
  server.registerTool(
    "inspect_images",
    {
      title: "Look at pictures",
      description:
        "Get the format, width and height in px, frames and bytes of pictures from their headers, and whether they have an alpha channel, EXIF and a GPS location. Free.",
      inputSchema: z.strictObject({ files: filesSchema }),
      annotations: reads,
    },
    ({ files }) =>
      withErrors(async () => {
        const inspected = await Promise.all(
          (await findSome(place, files, "")).map(async ({ path }) => ({ path, facts: await readPictureDetails(path) })),
        );
        const pictures = inspected.map(({ path, facts }) =>
          facts
            ? {
                path,
                format: facts.format,
                width: facts.width,
                height: facts.height,
                frames: facts.frames,
                size_bytes: facts.sizeBytes,
                has_alpha: facts.hasAlpha,
                has_exif: facts.hasExif,
                has_gps: facts.hasPlace,
              }
            : { path, reason: "This file is not a picture that can be read." },
        );
        const lines = pictures.map((one) => {
          if ("reason" in one) return `${one.path}: ${one.reason}`;
          const facts = [
            one.format,
            `${one.width} x ${one.height} px`,
            ...(one.frames > 1 ? [`${one.frames} frames`] : []),
            `${one.size_bytes} bytes`,
            ...(one.has_alpha ? ["alpha channel"] : []),
            ...(one.has_exif ? ["EXIF"] : []),
            ...(one.has_gps ? ["GPS location"] : []),
          ];
          return `${one.path}: ${facts.join(", ")}`;
        });
        return textResult(lines.map(plain).join("\n"), { pictures });
      }),
  );
}

/** A folder without pictures gives an empty list; a forbidden one is refused. */
async function picturesBelow({ folders }: Workspace, folder: string): Promise<FoundPicture[]> {
  try {
    return await folders.pictures([await folders.existing(folder)], "");
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === "not-found" && (await isThere(folders, folder))) return [];
    throw problem;
  }
}

const isThere = (folders: Workspace["folders"], folder: string): Promise<boolean> =>
  folders.existing(folder).then(
    () => true,
    () => false,
  );

function addOperations(server: McpServer, place: Workspace): void {
  const openWorldHint = place.backend.kind === "server";
  for (const operation of operationNames) {
    const { label, nameSuffix, example } = manifestOf(operation);
    const { summary, description } = textsOf(operation);
    // Another format has another extension, and a cut-out has its own name.
    const defaultSuffix = nameSuffix || "target_format" in example || isLastStep(operation) ? "" : `-${operation}`;
    const where = isLastStep(operation)
      ? " Here these are files, in one folder per picture; output_folder is required."
      : "";
    const needs =
      needsNetwork(operation) && !openWorldHint ? " It needs networks that `tintype install` fetches once." : "";
    server.registerTool(
      toolNameOf(operation),
      {
        title: label,
        description: `${summary}. ${description}${needs}${where}`,
        inputSchema: z.strictObject({ files: filesSchema, ...optionFields(operation), ...resultFields(defaultSuffix) }),
        annotations: { ...writes, openWorldHint },
      },
      (sent: Arguments, ctx) =>
        withErrors(async () => {
          const { options, call } = split(sent);
          const auxiliaryPaths: Record<string, string> = {};
          for (const { field } of auxiliaryFilesOf(operation)) {
            const { [field]: path } = options;
            if (typeof path === "string") auxiliaryPaths[field] = await place.folders.existing(path);
            delete options[field];
          }
          const isAny = Object.keys(auxiliaryPaths).length > 0;
          const work = { steps: [readStep(operation, options)], ...(isAny ? { auxiliaryPaths } : {}) } as const;
          return runTool(place, { work, call, defaultSuffix }, ctx);
        }),
    );
  }
}

function addRecipes(server: McpServer, place: Workspace): void {
  server.registerTool(
    "run_recipe",
    {
      title: "Run a recipe",
      description: "Run several steps on each picture, with no loss in between.",
      inputSchema: z.strictObject({
        recipe: recipeSchema,
        files: filesSchema,
        ...resultFields("-<name of the recipe>"),
      }),
      annotations: { ...writes, openWorldHint: place.backend.kind === "server" },
    },
    ({ recipe, ...call }, ctx) =>
      withErrors(async () => {
        const name = nameOf(recipe);
        const defaultSuffix = `-${name.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase()}`;
        return runTool(place, { work: await recipeWork(place, recipe), call, defaultSuffix }, ctx);
      }),
  );
  server.registerResource(
    "recipes",
    "tintype://recipes",
    { title: "Recipes", description: "Recipes that run_recipe can run by name.", mimeType: "application/json" },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: "application/json", text: await listRecipes(place) }] }),
  );
}

const listRecipes = async ({ backend }: Workspace): Promise<string> =>
  JSON.stringify(
    (await backend.recipes()).map(({ name, about, steps }) => ({
      name,
      about,
      steps: steps.map(({ operation, options }) => ({ [operation]: options })),
    })),
  );

type WrittenRecipe = z.infer<typeof recipeSchema>;

/** Like the API's field: a name, steps, an object with steps, or either as JSON text. */
async function recipeWork({ backend }: Workspace, recipe: WrittenRecipe): Promise<Work> {
  const written = typeof recipe === "string" && isJson(recipe) ? parseRecipe(recipe) : recipe;
  if (typeof written === "string") return { steps: recipeNamed(written, await backend.recipes()).steps };
  return { steps: readSteps(written instanceof Object && "steps" in written ? written.steps : written) };
}

const isJson = (text: string) => /^\s*[[{]/.test(text);

/** @throws invalid-request */
function parseRecipe(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError("invalid-request", { detail: "The recipe is not valid JSON.", cause });
  }
}

/** What the results beside their sources are named for. */
function nameOf(recipe: WrittenRecipe): string {
  if (typeof recipe === "string") return isJson(recipe) ? "recipe" : recipe;
  return "name" in recipe && typeof recipe.name === "string" && recipe.name !== "" ? recipe.name : "recipe";
}

function addQuote(server: McpServer, place: Workspace): void {
  server.registerTool(
    "quote",
    {
      title: "Price beforehand",
      description:
        "Get what an operation or a recipe would cost for these files in credits, and which of them would be refused. Give either operation, with its options, or recipe. No file is sent or written.",
      inputSchema: z.strictObject({
        files: filesSchema,
        operation: z.enum(operationNames).optional(),
        options: optionsSchema.optional(),
        recipe: recipeSchema.optional(),
      }),
      annotations: reads,
    },
    ({ files, operation, options = {}, recipe }) =>
      withErrors(async () => {
        if ((operation === undefined) === (recipe === undefined))
          throw new DomainError("invalid-request", { detail: "Set either an operation or a recipe." });
        const work: Work = operation
          ? { steps: [readStep(operation, options)] }
          : await recipeWork(place, recipe ?? "");
        const pictures = await findSome(place, files, "");
        const quoted = await quotePictures(pictures, { ...place, work });
        const { credits, known, refusals, losses } = quoted;
        const isUnlimited = place.backend.kind === "server" && quoted.remainingAfter === undefined;
        const quote = {
          credits,
          known,
          files: pictures.length,
          session_credits_left: place.cap.max - place.cap.taken(),
          refusals: refusals.map(({ path, ...rest }) => ({ ...rest, path: path ?? "" })),
          // Among 200 files most have the same losses.
          losses: [...new Set(losses.map(({ detail }) => detail))],
        };
        return textResult(describeQuote(quote, { ...place, isUnlimited }), quote);
      }),
  );
}

/** Hosts may show a model only the text. */
function describeQuote(
  { files, known, credits, session_credits_left: left, refusals, losses }: QuoteResult,
  { backend, account, isUnlimited }: Workspace & { isUnlimited: boolean },
): string {
  const isOver = account !== undefined && credits > left;
  return [
    `${files === 1 ? "1 file" : `${files} files`} would ${isUnlimited ? "be free" : `take ${credits} credits`}. ${backend.locationNote}`,
    ...(known > 0 ? [`Results of ${known} of them are known already.`] : []),
    ...(isOver ? [`This session may take ${left} more credits.`] : []),
    ...refusals.map(({ path, detail }) => plain(`${path || "All"}: refused. ${detail}`)),
    ...losses.map(plain),
  ].join("\n");
}

function addUsage(server: McpServer, place: Workspace): void {
  const read = async (): Promise<UsageResult> => {
    const usage = await place.account?.usage();
    // The server counts without a limit.
    if (usage?.limit === null) return { where: place.backend.locationNote, uses_this_month: usage.serviceCount };
    return {
      where: place.backend.locationNote,
      ...(usage
        ? {
            plan: usage.plan,
            credits_used: usage.serviceCount,
            credits_limit: usage.limit,
            resets_at: usage.resetsAt,
          }
        : {}),
      session_credits_taken: place.cap.taken(),
      session_credits_max: place.cap.max,
    };
  };
  server.registerTool(
    "get_usage",
    {
      title: "Credits",
      description: "Get where pictures are processed, and the credits used and left.",
      inputSchema: z.strictObject({}),
      annotations: reads,
    },
    () =>
      withErrors(async () => {
        const usage = await read();
        return textResult(JSON.stringify(usage), usage);
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

/** Separates the fields common to all tools from the operation's own. */
function split(sent: Arguments): { call: Call; options: Arguments } {
  const { files, output_folder, suffix, preview, ...options } = sent;
  return { call: callSchema.parse({ files, output_folder, suffix, preview }), options };
}

async function runTool(
  place: Workspace,
  order: { work: Work; call: Call; defaultSuffix: string },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -1;
  const onProgress = (progress: number, total: number, message: string) => {
    // The protocol requires progress to increase.
    if (progressToken === undefined || progress <= last) return;
    last = progress;
    const params = { progressToken, progress, total, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // the caller has disconnected
  };
  const { result, preview } = await runWork(place, order, { signal: mcpReq.signal, onProgress });
  const isError = result.files.every(({ outcome }) => outcome === "failed" || outcome === "stopped");
  return {
    content: [
      { type: "text", text: describeResult(result) },
      ...(preview ? [{ type: "image" as const, ...preview }] : []),
    ],
    structuredContent: result,
    isError,
  };
}

const textResult = (text: string, structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent,
});

/** Returns a refusal as a result that the model can act on. */
async function withErrors(act: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await act();
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem;
    return { content: [{ type: "text", text: faultOf(problem).reason }], isError: true };
  }
}
