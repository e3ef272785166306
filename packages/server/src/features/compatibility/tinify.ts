import { Readable } from "node:stream";
import {
  DomainError,
  defaultQualities,
  errors,
  formatNamed,
  mediaTypeOf,
  type OutputFormat,
  outputFormats,
  type RecipeStep,
  text,
} from "@tintype/contract";
import { readStep } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readBody } from "../../http/body-memory.ts";
import { type Authenticate, ownersOf, type Person } from "../../http/caller.ts";
import { hangUpSignal } from "../../http/endpoint.ts";
import { noteRefusal } from "../../http/errors.ts";
import { spoolPicture } from "../../http/upload.ts";
import type { ByteRange } from "../../platform/blobs/blobs.ts";
import type { JobCost } from "../credits/allowance.ts";
import { openForReply, rangeOfResult, rangesHeader, recordDelivery } from "../jobs/deliver/deliver.ts";
import { fileResult, type Result } from "../jobs/deliver/result.ts";
import type { Run, RunDependencies } from "../jobs/http/run.ts";
import type { Order } from "../jobs/order/order.ts";
import { requireEnded } from "../jobs/queue/begin.ts";
import { type FileRecord, type JobRecord, requestedSteps, succeeded } from "../jobs/record/job.ts";
import { createForeignCallers } from "./foreign-caller.ts";

type TinifyRoutes = Pick<RunDependencies, "jobs" | "blobs" | "countBytesOut"> & {
  run: Run;
  authenticate: Authenticate;
  origin: string;
};

const sourceSchema = z.strictObject({ source: z.strictObject({ url: z.string().min(1) }) });
const sidePx = z.int().min(1);
const commandsSchema = z.strictObject({
  resize: z
    .strictObject({
      method: z.enum(["scale", "fit", "cover", "thumb"]),
      width: sidePx.optional(),
      height: sidePx.optional(),
    })
    .optional(),
  convert: z.strictObject({ type: z.union([z.string(), z.array(z.string()).min(1)]) }).optional(),
  transform: z.strictObject({ background: z.string() }).optional(),
  preserve: z.array(z.enum(["copyright", "creation"])).optional(),
});
/** An address, or the commands for an output. Pictures are streamed. */
const maxJsonBytes = 100_000;
type Commands = z.infer<typeof commandsSchema>;

/**
 * Tinify's API, for existing clients: `POST /shrink`, then `GET` or `POST` at the output's address. According to
 * tinify.com/developers/reference. docs/moving-in.md lists the differences.
 */
export function mountTinify(
  app: FastifyInstance,
  { run, jobs, blobs, countBytesOut, ...dependencies }: TinifyRoutes,
): void {
  const { identify, callerOf } = createForeignCallers(dependencies.authenticate, ({ headers }) =>
    basicPassword(headers.authorization),
  );
  const route = {
    errorHandler: sendError,
    exposeHeadRoute: false,
    bodyLimit: maxJsonBytes,
    preParsing: identify,
  } as const;
  /** Like Tinify, sends the output as often as it is fetched. The first time is its delivery: it is no longer refunded. */
  const sendOutput = async (reply: FastifyReply, found: JobRecord) => {
    const range = rangeOfResult(found, reply);
    const record = await jobs.beginDelivery(found.id);
    const [file] = record.files;
    if (!file || record.state === "cancelled" || record.removedAt) throw new DomainError("gone");
    return sendPicture(reply, record, file, { range });
  };
  /** `isLast`: nobody can fetch it again. */
  const sendPicture = async (
    reply: FastifyReply,
    record: JobRecord,
    file: FileRecord,
    { range, isLast = false }: { range?: ByteRange | undefined; isLast?: boolean },
  ) => {
    const result = fileResult(record, file, { blobs });
    const { stream, sentBytes } = await openForReply(result, { range, reply });
    countBytesOut(sentBytes);
    return reply
      .headers(pictureHeaders(result, file))
      .send(isLast ? recordDelivery(stream, { record, reply, jobs }) : stream);
  };

  app.post("/shrink", route, async (request, reply) => {
    const caller = callerOf(request);
    const order: Order = {
      ...orderOf([readStep("compress", { metadata: "none" })]),
      isKept: true,
      async readForm(_, spooling) {
        if (request.body !== undefined) {
          const { source } = sourceSchema.parse(request.body);
          return { files: [], fields: {}, urls: [source.url] };
        }
        const picture = await spoolPicture(Readable.from(readBody(request)), { name: "picture" }, spooling);
        return { files: picture.sizeBytes === 0 ? [] : [picture], fields: {}, urls: [] };
      },
      async respond({ id, files: [file] }, { credits }) {
        const { source, result } = file ?? {};
        if (!source || !result) throw new DomainError("gone");
        // Several of Tinify's libraries recognise an absolute address only if it starts with https.
        const path = `/output/${id}`;
        return reply
          .code(201)
          .headers({ location: path, ...compressionCount(credits) })
          .send({
            input: { size: source.sizeBytes, type: mediaTypeOf(source.format) },
            output: {
              size: result.sizeBytes,
              type: mediaTypeOf(result.format),
              width: result.width,
              height: result.height,
              ratio: Number((result.sizeBytes / source.sizeBytes).toFixed(4)),
              url: `${dependencies.origin}${path}`,
            },
          });
      },
    };
    return run(request, reply, { caller, signal: hangUpSignal(reply), order });
  });

  app.route({
    ...route,
    method: ["GET", "HEAD"],
    url: "/output/:id",
    async handler(request, reply) {
      const { record, file } = await findShrunk(jobs, { request, caller: callerOf(request) });
      if (request.method === "GET") return sendOutput(reply, record);
      // Nothing is opened, and no delivery begins.
      const result = fileResult(record, file, { blobs });
      const { sizeBytes } = result;
      return reply
        .headers({ ...pictureHeaders(result, file), "content-length": sizeBytes, ...rangesHeader(result, reply) })
        .send();
    },
  });

  app.post("/output/:id", route, async (request, reply) => {
    const caller = callerOf(request);
    const { record, file } = await findShrunk(jobs, { request, caller });
    const commands = readCommands(request.body);
    if (Object.keys(commands).length === 0) return sendOutput(reply, record);
    const order: Order = {
      ...orderOf(stepsOf(commands, file)),
      readForm: async () => ({ files: [], fields: {}, urls: [] }),
      // Starts from the original upload: one lossy encoding instead of two in a row.
      async storedOf() {
        const { name, sizeBytes, format, input } = file;
        return { file: { name, sizeBytes, input: `${record.id}/${input}`, ...(format ? { format } : {}) }, inputs: [] };
      },
      async respond({ id }, { credits }) {
        const made = await jobs.beginDelivery(id);
        const [result] = made.files;
        if (!result) throw new DomainError("gone");
        return sendPicture(reply.headers(compressionCount(credits)), made, result, { isLast: true });
      },
    };
    return run(request, reply, { caller, signal: hangUpSignal(reply), order });
  });
}

/** The job of an output's address, and its file. @throws not-found, job-not-finished, gone */
async function findShrunk(
  jobs: RunDependencies["jobs"],
  { request, caller }: { request: FastifyRequest; caller: Person },
): Promise<{ record: JobRecord; file: FileRecord }> {
  const { id } = request.params as { id: string }; // the path's own parameter
  const record = await jobs.find(id, ownersOf(caller));
  if (!isShrunk(record)) throw new DomainError("not-found");
  requireEnded(record);
  const [file] = record.files;
  if (!file || !succeeded(file)) throw new DomainError("not-found");
  if (record.removedAt) throw new DomainError("gone");
  return { record, file };
}

function pictureHeaders({ headers }: Result, { result }: FileRecord) {
  const { width, height } = result ?? {};
  return {
    "content-type": headers["content-type"],
    ...(width === undefined ? {} : { "image-width": width, "image-height": height }),
  };
}

/**
 * Whether `POST /shrink` made the job, or a call that does the same. Other results have their own addresses, which check
 * the key's scope and what may still be discarded.
 */
const isShrunk = ({ operation, steps, files }: JobRecord): boolean => {
  const [step, ...others] = requestedSteps(steps);
  return operation === "compress" && others.length === 0 && files.length === 1 && hasNoMetadata(step?.options);
};

const hasNoMetadata = (options: unknown): boolean =>
  typeof options === "object" && options !== null && "metadata" in options && options.metadata === "none";

const orderOf = (steps: readonly [RecipeStep, ...RecipeStep[]]): Order => ({
  known: { texts: [], files: [] },
  noFiles: text.selectImage,
  isCharged: true,
  stepsOf: async () => steps,
});

/** `api:<key>` in HTTP Basic authentication. The name before the colon is ignored. */
function basicPassword(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? "")?.[1];
  return encoded === undefined ? undefined : /:(.*)$/s.exec(Buffer.from(encoded, "base64").toString())?.[1];
}

/** Tinify counts compressions per month; here they are the credits used in the plan's window. */
function compressionCount(credits: JobCost | undefined) {
  if (!credits) return {};
  const { used, remaining, limit } = credits;
  return { "compression-count": limit === null || remaining === null ? used : limit - remaining };
}

function readCommands(body: unknown): Commands {
  const { preserve, store } = (body ?? {}) as Record<string, unknown>; // looked at only
  if (Array.isArray(preserve) && preserve.includes("location"))
    throw new DomainError("invalid-request", {
      field: "preserve",
      detail: "preserve takes copyright and creation: no result carries the location.",
    });
  if (store !== undefined)
    throw new DomainError("invalid-request", {
      field: "store",
      detail: "store is not supported: fetch the output, or use output_url of /api/compress.",
    });
  const isEmpty = Array.isArray(preserve) && preserve.length === 0;
  const given = Object.entries(body ?? {}).filter(([name]) => !(name === "preserve" && isEmpty));
  return commandsSchema.parse(Object.fromEntries(given));
}

/** The steps for an output: size first, then format, then bytes. Like Tinify's, an output without `preserve` has no metadata. */
function stepsOf({ resize, convert, transform, preserve }: Commands, file: FileRecord): [RecipeStep, ...RecipeStep[]] {
  const metadata = preserve === undefined ? "none" : "copyright";
  const sized = resize ? [readStep("resize", { ...resizeOptions(resize), metadata })] : [];
  const own = outputFormats.find((format) => format === file.format);
  const target = convert ? targetOf(convert.type) : own;
  const background = transform?.background;
  const isWritten = target !== undefined && (target !== own || background !== undefined);
  const last = isWritten
    ? readStep("convert", {
        target_format: target,
        quality: defaultQualities.compress,
        metadata,
        ...(background === undefined ? {} : { background }),
      })
    : readStep("compress", { metadata });
  return sized[0] ? [sized[0], last] : [last];
}

function resizeOptions({ method, width, height }: NonNullable<Commands["resize"]>): object {
  const refuse = (detail: string) => new DomainError("invalid-request", { field: "resize", detail });
  if (method === "scale") {
    if ((width === undefined) === (height === undefined))
      throw refuse("scale takes a width or a height, one of the two.");
    return { width, height, method: "fit" };
  }
  if (width === undefined || height === undefined) throw refuse(`${method} takes a width and a height.`);
  return { width, height, method: method === "fit" ? "fit" : "fill", enlarge: false };
}

/** Of several types, the one that is usually smallest at equal quality. */
const smallestFirst: readonly OutputFormat[] = ["avif", "webp", "jpeg", "png"];

function targetOf(type: string | readonly string[]): OutputFormat {
  const types = [type].flat();
  const named = types.map(formatNamed);
  const target = types.includes("*/*") ? smallestFirst[0] : smallestFirst.find((format) => named.includes(format));
  if (target) return target;
  throw new DomainError("invalid-request", {
    field: "convert",
    detail: "convert takes image/avif, image/webp, image/jpeg, image/png or */*.",
  });
}

/** Tinify's names for the errors that it shares with us. */
const names: Record<string, { status: number; error: string }> = {
  "no-files": { status: 400, error: "InputMissing" },
  "invalid-request": { status: 400, error: "BadRequest" },
  unauthorized: { status: 401, error: "Unauthorized" },
  "out-of-credits": { status: 429, error: "TooManyRequests" },
  "too-many-requests": { status: 429, error: "TooManyRequests" },
  "not-an-image": { status: 415, error: "UnsupportedMediaType" },
  "broken-image": { status: 415, error: "UnsupportedMediaType" },
};

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, detail } = noteRefusal(request, reply, thrown);
  const { status, error } = names[code] ?? { status: errors[code].status, error: pascal(code) };
  return reply.code(status).type("application/json").send({ error, message: detail });
}

const pascal = (code: string) => code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
