import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Multipart } from "@fastify/multipart";
import { DomainError, type Limits, limits as limitsOfTiers } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Blobs, Stored, StoreOptions } from "../platform/blobs/blobs.ts";
import { unknownField } from "./unknown-field.ts";

export type Spooled = {
  /** The blob it lies in. */
  blob: string;
  /** As sent, cleaned of paths and control characters. */
  name: string;
  /** The form's field. */
  field: string;
} & Stored;
export type Form = {
  files: Spooled[];
  fields: Record<string, string>;
  /** Addresses of pictures, in their order. */
  urls: string[];
};

declare module "fastify" {
  interface FastifyRequest {
    /** Tells a sender who waits for it (`Expect: 100-continue`) to go on. */
    letUpload(): void;
  }
}

/** Of one form: more than any operation has, and together less than half a megabyte of memory. */
const maxFields = 40;
const maxFieldBytes = 10_000;
const megabyte = 1e6;
const largest = limitsOfTiers.pro;
const largestFileBytes = largest.megabytesPerFile * megabyte;

/** For every route that reads a form: its fields are kept in memory, and a route that sets no limits has these. */
export const formLimits = {
  fields: maxFields,
  fieldNameSize: 100,
  fieldSize: maxFieldBytes,
  files: largest.filesPerBatch + 2,
  parts: largest.filesPerBatch + maxFields + 2,
  fileSize: largestFileBytes,
  headerPairs: 100,
};

/**
 * With `Expect: 100-continue` a sender waits to hear that its body is wanted. Node says so at once; here a route says it
 * after it looked at the announced length, and a body that is too large is refused before it is sent.
 */
export function askBeforeUpload(app: FastifyInstance): void {
  app.server.on("checkContinue", (req, res) => app.server.emit("request", req, res));
  app.decorateRequest("letUpload");
  app.addHook("onRequest", async (request, reply) => {
    request.letUpload = () => {
      if (request.headers.expect !== undefined) reply.raw.writeContinue();
    };
  });
  app.addHook("preParsing", async (request) => {
    const { bodyLimit, config } = request.routeOptions;
    // Fastify itself refuses such a length, before it reads.
    const isTooLong = Number(request.headers["content-length"]) > (bodyLimit ?? Number.POSITIVE_INFINITY);
    if (!config.takesForm && !isTooLong) request.letUpload();
  });
}

/** A sender that is silent for so long amid its body is gone, or keeps room that others want. */
const silentMs = 60_000;

/** Cuts the connection of a sender that falls silent before its body is whole. The answer may take any time. */
export function cutSilentSenders(app: FastifyInstance, afterMs = silentMs): void {
  app.addHook("onRequest", async ({ raw }, { raw: answer }) => {
    const { socket } = raw;
    if (raw.complete || !(socket instanceof Socket)) return;
    socket.setTimeout(afterMs);
    // Node tells the request of a timeout while its body is not whole, and the answer until it is sent. It destroys the connection
    // where neither listens: between two calls, after `keepAliveTimeout`, which Node sets when the answer is sent.
    raw.on("timeout", () => {
      // Bytes that lie here unread are the server's delay: its store may be slow.
      if (raw.readableLength > 0) socket.setTimeout(afterMs);
      else socket.destroy();
    });
    answer.on("timeout", () => {});
  });
}

/** After a refusal a sender may go on this long; then the connection is cut. */
const discardedBytes = largestFileBytes + megabyte;

/**
 * A route that has answered reads no further, and many clients look at an answer only after their last byte: the rest
 * of the body is taken off the wire and thrown away, unparsed, up to a bound.
 */
export function discardUnread(app: FastifyInstance): void {
  app.addHook("onResponse", async ({ raw }) => {
    if (raw.complete || raw.destroyed) return;
    let left = discardedBytes;
    raw.unpipe();
    raw.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) raw.destroy();
    });
    raw.resume();
  });
}

/** The fields that a form has, by their names. */
export type KnownFields = { texts: readonly string[]; files: readonly string[] };
type Spooling = {
  blobs: Blobs;
  jobId: string;
  limits: Limits;
  known: KnownFields;
  /** Makes room for another picture, where none was made for the whole form. @throws full */
  makeRoom?: (() => Promise<void>) | undefined;
} & Omit<StoreOptions, "limitBytes">;

/**
 * Streams a form's pictures to blobs under the caller's limits, and keeps its text fields.
 * @throws too-large, too-many-files, upload-cut-off, invalid-request for a field that the form does not have
 */
export async function spoolForm(
  request: FastifyRequest,
  { blobs, jobId, limits, known, makeRoom, ...keep }: Spooling,
): Promise<Form> {
  const limitBytes = limits.megabytesPerFile * megabyte;
  requireBoundary(request);
  request.letUpload();
  const files: Spooled[] = [];
  const fields: Record<string, string> = Object.create(null);
  const urls: string[] = [];
  const parts = request.parts({
    limits: {
      ...formLimits,
      fields: limits.filesPerBatch + maxFields,
      parts: limits.filesPerBatch + maxFields + 2,
      files: limits.filesPerBatch + 2,
      fileSize: Number.POSITIVE_INFINITY,
    },
  });
  let refusal: DomainError | undefined;
  const pictures = () => urls.length + files.filter((file) => !isExtra(file)).length;
  try {
    for await (const part of parts) {
      refusal ??= refusalOf(part, known);
      if (part.type !== "file" && part.fieldname === urlField) {
        // A form's blank field is one that was not filled in.
        const url = textOf(part.value).trim();
        if (url !== "") urls.push(url);
        if (pictures() > limits.filesPerBatch) refusal ??= tooManyFiles(limits);
      } else if (part.type !== "file") {
        const value = textOf(part.value);
        fields[part.fieldname] ??= value;
        if (fields[part.fieldname] !== value) refusal ??= cameTwice(part.fieldname);
      } else if (refusal || (!isExtra({ field: part.fieldname }) && pictures() >= limits.filesPerBatch)) {
        refusal ??= tooManyFiles(limits);
        part.file.resume();
      } else {
        if (files.length > 0) await makeRoom?.();
        const blob = `in-${files.length}`;
        const stored = await write(part.file, { blobs, jobId, blob, limitBytes, ...keep });
        if (stored instanceof DomainError) refusal = stored;
        // A form whose file field was left empty still sends a part: no name, no bytes.
        else if (stored.sizeBytes > 0 || part.filename)
          files.push({ blob, name: cleanName(part.filename ?? ""), field: part.fieldname, ...stored });
      }
    }
  } catch (problem) {
    const isTooMany = (problem as { code?: string }).code === "FST_FILES_LIMIT";
    throw refusal ?? (isTooMany ? tooManyFiles(limits) : formProblem(problem, request));
  }
  if (refusal) throw refusal;
  return { files, fields, urls };
}

/** A part that says it is JSON comes parsed: the fields of a form are texts all the same. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const cameTwice = (field: string) =>
  new DomainError("invalid-request", {
    field,
    detail: `The field "${field}" came twice with different values. Send it once.`,
  });

/** The field with the address of a picture that the server fetches; it may be there several times. */
export const urlField = "image_url";

/** A misspelt field must not cost a credit for a result that its sender did not ask for. */
function refusalOf(part: Multipart, { texts, files }: KnownFields): DomainError | undefined {
  // The parser leaves a name out that was not sent.
  const { type, fieldname: field = "" } = part;
  const known = [...files, ...texts];
  // A form of a page sends its empty file fields too.
  if (type === "file" && part.filename === "") return undefined;
  if (!known.includes(field)) return unknownField(field, known);
  const refused = (detail: string) => new DomainError("invalid-request", { field, detail });
  if (type === "file")
    return files.includes(field) ? undefined : refused(`The field "${field}" takes a text and no file.`);
  if (!texts.includes(field))
    return refused(`The field "${field}" takes a file. With curl that is ${field}=@photo.jpg.`);
  if (part.valueTruncated) return refused(`The field ${field} must have at most ${maxFieldBytes} bytes.`);
  // PostgreSQL holds none in a text.
  if (textOf(part.value).includes("\0")) return refused(`The field ${field} holds a NUL character.`);
  return undefined;
}

/** Fields for pictures that are not to be worked on themselves. */
const extraFields: readonly string[] = ["background_image", "matte"];
export const isExtra = ({ field }: { field: string }): boolean => extraFields.includes(field);

/**
 * How much a sender says is coming, if it says so.
 * @throws too-large where that is more than the plan takes, before it comes
 */
export function announcedBytes(request: FastifyRequest, limits: Limits): number | undefined {
  const said = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isSafeInteger(said)) return undefined;
  const most = (limits.filesPerBatch + 1) * limits.megabytesPerFile * megabyte + megabyte;
  if (said > most)
    throw new DomainError("too-large", {
      detail: `The upload is larger than your plan allows: ${limits.filesPerBatch} files of ${limits.megabytesPerFile} MB.`,
    });
  return said;
}

/**
 * The first bytes of the form's first picture, at most `bytes`; nothing behind them is parsed.
 * @throws unsupported-media-type, too-large, no-files, upload-cut-off
 */
export async function readHead(request: FastifyRequest, bytes: number): Promise<Uint8Array> {
  if (!request.isMultipart()) throw new DomainError("unsupported-media-type");
  if (Number(request.headers["content-length"] ?? 0) > discardedBytes) throw new DomainError("too-large");
  requireBoundary(request);
  request.letUpload();
  try {
    // Leaving the loops ends the parser.
    for await (const { file } of request.files({ limits: { ...formLimits, files: 1 } })) {
      let head = Buffer.alloc(0);
      for await (const chunk of file as AsyncIterable<Buffer>) {
        head = Buffer.concat([head, chunk]);
        if (head.length >= bytes) break;
      }
      return head.subarray(0, bytes);
    }
  } catch (problem) {
    throw formProblem(problem, request);
  }
  throw new DomainError("no-files");
}

/** A form that cannot be read further: by its limits, since its sender is gone, or since it is none. */
function formProblem(problem: unknown, { raw }: FastifyRequest): unknown {
  if (problem instanceof DomainError) return problem;
  const { code = "" } = problem as { code?: string };
  if (code === "FST_MP_PREMATURE_CLOSE" || (raw.destroyed && !raw.complete))
    return new DomainError("upload-cut-off", { cause: problem });
  return code.startsWith("FST_") ? problem : unreadableForm(problem);
}

/** The usual cause: a program sets Content-Type itself, and its HTTP client then adds no boundary. */
const unreadableForm = (cause?: unknown) =>
  new DomainError("invalid-request", {
    field: "Content-Type",
    detail:
      "The form and the boundary in its Content-Type do not fit. Let your HTTP client write this header by itself.",
    cause,
  });

/** @throws invalid-request */
function requireBoundary({ headers }: FastifyRequest): void {
  if (!/;\s*boundary=/i.test(headers["content-type"] ?? "")) throw unreadableForm();
}

function tooManyFiles(limits: Limits): DomainError {
  return new DomainError("too-many-files", {
    detail: `Your plan takes up to ${limits.filesPerBatch} files in one batch.`,
  });
}

async function write(
  stream: Readable,
  { blobs, jobId, blob, ...options }: { blobs: Blobs; jobId: string; blob: string } & StoreOptions,
) {
  const { limitBytes } = options;
  try {
    return await blobs.write({ jobId, name: blob }, stream, options);
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === "too-large")
      return new DomainError("too-large", {
        detail: `A file is larger than the ${limitBytes / 1e6} MB that your plan takes.`,
      });
    throw problem;
  }
}

/** Longest file name most disks take, bytes, with room for what we append. */
const maxNameBytes = 200;

/**
 * A file's own name: any path part is cut (also one from Windows), control and direction-changing characters go,
 * since `photo\u202egpj.exe` reads as another file than it is.
 */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[<>:"|?*]/g, "_")
    // A run is tried from its first character alone: from each of them, a name of 15,000 spaces took a second.
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, "");
  return shorten(clean) || "picture";
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= 10 ? name.slice(dot) : "";
  const stem = extension ? name.slice(0, dot) : name;
  // `encodeInto` fills the room with whole characters, and tells how much of the text that is.
  const room = new Uint8Array(maxNameBytes - Buffer.byteLength(extension));
  return stem.slice(0, new TextEncoder().encodeInto(stem, room).read) + extension;
}
