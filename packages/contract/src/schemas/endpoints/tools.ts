import { z } from "zod";
import { isLastStep, type TaskName, taskNames, tasks } from "../../facts/operations/index.ts";
import { textsOf } from "../../reference/operation-texts.ts";
import { sourceFormat } from "../account.ts";
import type { Endpoint } from "../endpoint.ts";
import { taskOptions } from "../options.ts";
import { quote, quoteRequest } from "../quote.ts";
import { anyCall, bodyErrors, callerErrors, operationErrors } from "./errors.ts";

/** Notes for the API reference only: how responses report what an operation did. */
const responseNotes: Partial<Record<TaskName, string>> = {
  compress:
    "With `measure`, `likeness` in the report and the receipt, and `X-Likeness`, have the SSIMULACRA 2.1 score: of the whole picture up to 4 megapixels, above that of 64 evenly spread parts. For an animation it is the lowest score of its frames, or of up to 16 megapixels of them; if equal frames were merged, each original frame is compared with the one shown at its time. A picture below 16 px has a score only if it is unchanged. In a recipe the result is compared with the input of compress, and only if compress is the last step. With `min_likeness` an original that is returned may exceed `max_bytes`. Previews ignore `min_likeness` and `keep_film`. With `max_bytes` up to half of the limit is reserved for a film.",
  convert:
    "If the picture needs no conversion, the response is 200 with a JSON `message`, or, with `Prefer: return=representation`, the picture itself with its metadata filtered as `metadata` says. A picture whose name has the extension of another format always comes back, with the right extension.",
  "remove-background":
    "`X-Confidence` has that number. If there are alternative cut-outs, `X-Candidates` has their number. `X-Incomplete: true` means that a large part of a person may be missing.",
};

const task = <Name extends TaskName>(name: Name) =>
  ({
    tag: "The tools",
    method: "POST",
    path: `/${name}`,
    summary: textsOf(name).summary,
    description: [textsOf(name).description, textsOf(name).inRecipes, responseNotes[name]].filter(Boolean).join(" "),
    access: "guest-or-person",
    scope: "process",
    form: { task: name, options: taskOptions[name], files: "files" },
    example: { fields: tasks[name].example },
    response: {
      status: 200,
      kind: "picture",
      ...(tasks[name].canBeUnchanged ? { message: true } : {}),
      description: `${
        isLastStep(name) ? "The ZIP of the set for one file; a ZIP of those" : "The picture itself for one file; a ZIP"
      } with \`report.json\` for more. With \`Prefer: respond-async\`: 202 and the job's address in \`Location\`; so too where the same \`Idempotency-Key\` is still being worked on.`,
    },
    errors: name === "preview" ? [...operationErrors, "not-found", "job-not-finished", "gone"] : operationErrors,
  }) as const satisfies Endpoint;

/** `remove-background` is `removeBackground` in code. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Edit works on a stored picture, so it is listed with the jobs. */
type SentTask = Exclude<TaskName, "edit">;
const sentTasks = taskNames.filter((name): name is SentTask => name !== "edit");

/** A row for each task that accepts uploads, in the registry's order. */
export const taskEndpoints = Object.fromEntries(sentTasks.map((name) => [camel(name), task(name)])) as {
  [Name in SentTask as Camel<Name>]: ReturnType<typeof task<Name>>;
}; // the keys and rows that the line above creates

export const toolEndpoints = {
  ...taskEndpoints,
  quote: {
    tag: "The tools",
    method: "POST",
    path: "/quote",
    summary: "Get the price of a batch before uploading it",
    description:
      "For an operation with its options, or for a recipe. The credits are what the batch will cost in the end: refused files and files that need no work are free, and so is a batch that is refused as a whole.",
    access: "guest-or-person",
    scope: "process",
    body: quoteRequest,
    example: {
      body: {
        operation: "resize",
        options: { width: 1200 },
        files: [{ width: 4000, height: 3000, size_bytes: 2_400_000, format: "jpeg" }],
      },
    },
    response: { status: 200, body: quote, description: "The quote." },
    errors: [...anyCall, ...callerErrors, ...bodyErrors, "not-found"],
  },
  detectSourceFormat: {
    tag: "The tools",
    method: "POST",
    path: "/convert/detect-source-format",
    summary: "Detect a picture's format from its content",
    access: "anybody",
    form: { task: "upload", options: z.object({}), files: "file" },
    response: { status: 200, body: sourceFormat, description: "The format's name." },
    errors: [...anyCall, "no-files", "not-an-image", "unsupported-media-type", "upload-cut-off", "too-large"],
  },
} as const satisfies Record<string, Endpoint>;
