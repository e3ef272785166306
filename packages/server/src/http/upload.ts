import { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Multipart } from "@fastify/multipart";
import {
  batchLimitSentence,
  DomainError,
  type Limits,
  limits as limitsOfTiers,
  unknownName,
  whoAllows,
} from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Blobs, StoredBlob, StoreOptions } from "../platform/blobs/blobs.ts";

export type SpooledPicture = {
  /** Its blob. */
  blob: string;
  /** As sent, cleaned of paths and control characters. */
  name: string;
  /** The form's field. */
  field: string;
  /** It is not processed itself. */
  isAuxiliary?: true;
} & StoredBlob;
export type SpooledForm = {
  files: SpooledPicture[];
  fields: Record<string, string>;
  /** Addresses of pictures, in their order. */
  urls: string[];
};

declare module "fastify" {
  interface FastifyRequest {
    /** Sends 100 Continue to a client that waits for it (`Expect: 100-continue`). */
    sendContinue(): void;
  }
}

/** Per form: more than any operation has, and together less than half a megabyte of memory. */
const maxFields = 40;
const maxFieldBytes = 10_000;
const megabyte = 1e6;
/** Of any plan. */
const largestFileBytes = () => limitsOfTiers.pro.megabytesPerFile * megabyte;

/** Limits of every route that reads a form. Fields are kept in memory; a route without limits of its own has these. */
export const formLimits = () => ({
  fields: maxFields,
  fieldNameSize: 100,
  fieldSize: maxFieldBytes,
  files: limitsOfTiers.pro.filesPerBatch + 2,
  parts: limitsOfTiers.pro.filesPerBatch + maxFields + 2,
  fileSize: largestFileBytes(),
  headerPairs: 100,
});

/**
 * With `Expect: 100-continue` a client waits before it sends its body. Node responds 100 at once. Here a route does so
 * once it reads, so that an oversized or unauthorised body is refused before it is sent.
 */
export function handleExpectContinue(app: FastifyInstance): void {
  app.server.on("checkContinue", (req, res) => app.server.emit("request", req, res));
  // Other expectations are ignored (RFC 9110, 10.1.1). Node's own answer is a 417 without a body.
  app.server.on("checkExpectation", (req, res) => app.server.emit("request", req, res));
  app.decorateRequest("sendContinue");
  app.addHook("onRequest", async (request, reply) => {
    request.sendContinue = () => {
      if (request.headers.expect?.toLowerCase() === "100-continue") reply.raw.writeContinue();
    };
  });
}

/** Longest pause within a body: a silent client is gone, or occupies storage that others need. */
const silentMs = 60_000;

/** Closes the connection of a client that falls silent before its body is complete. The response may take any time. */
export function closeSilentUploads(app: FastifyInstance, afterMs = silentMs): void {
  app.addHook("onRequest", async ({ raw }, { raw: response }) => {
    const { socket } = raw;
    if (raw.complete || !(socket instanceof Socket)) return;
    socket.setTimeout(afterMs);
    // Node emits the timeout on the request while its body is incomplete, and on the response until it is sent. If neither
    // has a listener it destroys the connection: between two calls, after `keepAliveTimeout`, which Node sets once the
    // response is sent.
    raw.on("timeout", () => {
      // Unread bytes mean that the server is slow itself, for example its store.
      if (raw.readableLength > 0) socket.setTimeout(afterMs);
      else socket.destroy();
    });
    response.on("timeout", () => {});
  });
}

/** The minimum rate of a body. */
export type MinRate = {
  /** Time limit for the first `firstBytes`. */
  graceMs: number;
  firstBytes: number;
  /** From then on, on average. */
  bytesPerSecond: number;
};

/** Slow-body attack (Slowloris): an occasional byte keeps a connection, an upload slot of its network and storage. */
const usualLeastRate: MinRate = { graceMs: 30_000, firstBytes: 64_000, bytesPerSecond: 8_000 };

/** The bytes of a body that must have arrived after this time. */
export const minBytes = (elapsedMs: number, { graceMs, firstBytes, bytesPerSecond }: MinRate): number =>
  elapsedMs < graceMs ? 0 : firstBytes + ((elapsedMs - graceMs) / 1000) * bytesPerSecond;

/** Closes the connection of a slower client. Time in which the server does not read is not counted. */
export function closeSlowUploads(app: FastifyInstance, rate = usualLeastRate): void {
  const checkEveryMs = Math.min(1_000, rate.graceMs / 4);
  app.addHook("onRequest", async ({ raw }) => {
    const { socket } = raw;
    if (raw.complete || !(socket instanceof Socket)) return;
    const announced = Number(raw.headers["content-length"] ?? Number.POSITIVE_INFINITY);
    const bytesBefore = socket.bytesRead;
    let lookedAt = performance.now();
    let elapsedMs = 0;
    const timer = setInterval(() => {
      const sinceMs = performance.now() - lookedAt;
      lookedAt += sinceMs;
      if (raw.complete || raw.destroyed) return clearInterval(timer);
      // A late check means that this process was busy and read nothing meanwhile.
      if (raw.readableLength === 0) elapsedMs += Math.min(sinceMs, checkEveryMs);
      if (socket.bytesRead - bytesBefore < Math.min(announced, minBytes(elapsedMs, rate))) socket.destroy();
    }, checkEveryMs);
    timer.unref();
    raw.once("close", () => clearInterval(timer));
  });
}

/** After a refusal, up to this much of the remaining body is drained; then the connection is closed. */
const discardedBytes = () => largestFileBytes() + megabyte;

/**
 * Drains the rest of a refused body, unparsed and up to a limit: many clients read a response only after sending their last byte.
 */
export function discardUnread(app: FastifyInstance): void {
  app.addHook("onResponse", async ({ raw }) => {
    if (raw.complete || raw.destroyed) return;
    let left = discardedBytes();
    raw.unpipe();
    raw.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) raw.destroy();
    });
    raw.resume();
  });
}

/** The fields that a form has, by their names: `files` are for pictures, `auxiliary` for files beside them. */
export type KnownFields = { texts: readonly string[]; files: readonly string[]; auxiliary: readonly string[] };
export type SpoolOptions = {
  blobs: Blobs;
  jobId: string;
  limits: Limits;
  known: KnownFields;
  /** Called with the number of received bytes before they are stored. If it throws, the upload ends. */
  onArrival(bytes: number): Promise<void>;
} & Omit<StoreOptions, "limitBytes">;

/**
 * Streams a form's pictures to blobs under the caller's limits, and keeps its text fields.
 * @throws too-large, too-many-files, upload-cut-off, invalid-request for a field that the form does not have
 */
export async function spoolForm(
  request: FastifyRequest,
  { blobs, jobId, limits, known, onArrival, ...keep }: SpoolOptions,
): Promise<SpooledForm> {
  const limitBytes = limits.megabytesPerFile * megabyte;
  requireBoundary(request);
  request.sendContinue();
  const files: SpooledPicture[] = [];
  const fields: Record<string, string> = Object.create(null);
  const urls: string[] = [];
  const parts = request.parts({
    limits: {
      ...formLimits(),
      fields: limits.filesPerBatch + maxFields,
      parts: limits.filesPerBatch + maxFields + 2,
      files: limits.filesPerBatch + 2,
      fileSize: Number.POSITIVE_INFINITY,
    },
  });
  let refusal: DomainError | undefined;
  const pictures = () => urls.length + files.filter(isPicture).length;
  try {
    for await (const part of parts) {
      part.fieldname = listName(part.fieldname);
      const isAuxiliary = known.auxiliary.includes(part.fieldname);
      refusal ??= refusalOf(part, known);
      if (part.type !== "file") request.holdBytes(textOf(part.value).length);
      if (part.type !== "file" && part.fieldname === urlField) {
        // HTML forms send empty fields as blanks.
        const url = textOf(part.value).trim();
        if (url !== "") urls.push(url);
        if (pictures() > limits.filesPerBatch) refusal ??= tooManyFiles(limits);
      } else if (part.type !== "file") {
        const value = textOf(part.value);
        fields[part.fieldname] ??= value;
        if (fields[part.fieldname] !== value) refusal ??= duplicateField(part.fieldname);
      } else if (refusal || (!isAuxiliary && pictures() >= limits.filesPerBatch)) {
        refusal ??= tooManyFiles(limits);
        part.file.resume();
      } else {
        const blob = `in-${files.length}`;
        const stored = await write(part.file, { blobs, jobId, blob, limitBytes, onArrival, ...keep });
        if (stored instanceof DomainError) refusal = stored;
        // A form with an empty file field still sends a part without name and bytes.
        else if (stored.sizeBytes > 0 || part.filename)
          files.push({
            ...{ blob, name: cleanName(unescapeName(part.filename ?? "")), field: part.fieldname, ...stored },
            ...(isAuxiliary ? { isAuxiliary } : {}),
          });
      }
    }
  } catch (problem) {
    const isTooMany = (problem as { code?: string }).code === "FST_FILES_LIMIT";
    throw refusal ?? (isTooMany ? tooManyFiles(limits) : formProblem(problem, request));
  }
  if (refusal) throw refusal;
  return { files, fields, urls };
}

/** A part declared as JSON arrives parsed, but form fields are always text. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const duplicateField = (field: string) =>
  new DomainError("invalid-request", {
    field,
    detail: `The field "${field}" came twice with different values. Send it once.`,
  });

/** The field with the address of a picture that the server fetches. It may be repeated. */
export const urlField = "image_url";

/**
 * The name of a field that may be repeated, also as PHP, Rails and axios write one of a list: `files[]`, `files[0]`.
 * The parser omits a name that was not sent.
 */
const listName = (field: string | undefined): string =>
  /^(files|image_url)\[\d{0,4}\]$/.exec(field ?? "")?.[1] ?? field ?? "";

/** Rejects unknown fields: a misspelt one would cost a credit for an unwanted result. */
function refusalOf(part: Multipart, { texts, ...fields }: KnownFields): DomainError | undefined {
  const { type, fieldname: field } = part;
  const files = [...fields.files, ...fields.auxiliary];
  const known = [...files, ...texts];
  // An HTML form sends its empty file fields too.
  if (type === "file" && part.filename === "") return undefined;
  if (!known.includes(field)) return unknownField(field, known);
  const refused = (detail: string) => new DomainError("invalid-request", { field, detail });
  if (type === "file")
    return files.includes(field) ? undefined : refused(`The field "${field}" takes a text and no file.`);
  if (!texts.includes(field))
    return refused(`The field "${field}" takes a file. With curl that is ${field}=@photo.jpg.`);
  if (part.valueTruncated) return refused(`The field ${field} must have at most ${maxFieldBytes} bytes.`);
  // PostgreSQL's text has no NUL.
  if (textOf(part.value).includes("\0")) return refused(`The field ${field} contains a NUL character.`);
  return undefined;
}

/** Whether it is to be processed itself. */
export const isPicture = (file: { field: string; isAuxiliary?: true }): boolean => file.isAuxiliary !== true;

/**
 * The announced length of a body, if any.
 * @throws too-large if that exceeds the plan, before the body is read
 */
export function announcedBytes(request: FastifyRequest, limits: Limits): number | undefined {
  const said = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isSafeInteger(said)) return undefined;
  const max = (limits.filesPerBatch + 1) * limits.megabytesPerFile * megabyte + megabyte;
  if (said > max)
    throw new DomainError("too-large", {
      detail: `The upload is larger than ${whoAllows()} allows: ${limits.filesPerBatch} files of ${limits.megabytesPerFile} MB.`,
    });
  return said;
}

/**
 * The start of the form's first picture, at most `bytes`. Nothing after it is parsed.
 * @throws unsupported-media-type, too-large, no-files, upload-cut-off
 */
export async function readHead(request: FastifyRequest, bytes: number): Promise<Uint8Array> {
  if (!request.isMultipart()) throw new DomainError("unsupported-media-type");
  if (Number(request.headers["content-length"] ?? 0) > discardedBytes()) throw new DomainError("too-large");
  requireBoundary(request);
  request.sendContinue();
  try {
    // Leaving the loops ends the parser.
    for await (const part of request.parts({ limits: { ...formLimits(), files: 1 } })) {
      if (part.type !== "file") {
        request.holdBytes(textOf(part.value).length);
        continue;
      }
      let head = Buffer.alloc(0);
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
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

/** The error of an unreadable form: it exceeds a limit, its client is gone, or it is malformed. */
function formProblem(problem: unknown, { raw }: FastifyRequest): unknown {
  if (problem instanceof DomainError) return problem;
  const { code = "" } = problem as { code?: string };
  if (code === "FST_MP_PREMATURE_CLOSE" || (raw.destroyed && !raw.complete))
    return new DomainError("upload-cut-off", { cause: problem });
  return code.startsWith("FST_") ? problem : unreadableForm(problem);
}

/** The usual cause: a program sets Content-Type itself, so that its HTTP client adds no boundary. */
const unreadableForm = (cause?: unknown) =>
  new DomainError("invalid-request", {
    field: "Content-Type",
    detail: "The boundary in Content-Type does not match the form. Let your HTTP client set this header.",
    cause,
  });

/** @throws invalid-request */
function requireBoundary({ headers }: FastifyRequest): void {
  if (!/;\s*boundary=/i.test(headers["content-type"] ?? "")) throw unreadableForm();
}

function tooManyFiles(limits: Limits): DomainError {
  return new DomainError("too-many-files", { detail: batchLimitSentence(limits.filesPerBatch) });
}

/**
 * Stores one picture that was not uploaded in one of our forms.
 * @param index the number of pictures before it
 * @throws too-large
 */
export async function spoolPicture(
  stream: Readable,
  { name, field = "files", index = 0 }: { name: string; field?: string; index?: number },
  { blobs, jobId, limits, known: _, ...keep }: SpoolOptions,
): Promise<SpooledPicture> {
  const blob = `in-${index}`;
  const limitBytes = limits.megabytesPerFile * megabyte;
  const stored = await write(stream, { blobs, jobId, blob, limitBytes, ...keep });
  if (stored instanceof DomainError) throw stored;
  return { blob, name: cleanName(name), field, ...stored };
}

type WriteOptions = { blobs: Blobs; jobId: string; blob: string } & Pick<SpoolOptions, "onArrival"> & StoreOptions;

async function write(stream: Readable, { blobs, jobId, blob, onArrival, ...options }: WriteOptions) {
  const { limitBytes } = options;
  try {
    const counted = Readable.from(countArrivals(stream, { limitBytes, onArrival }));
    return await blobs.write({ jobId, name: blob }, counted, options);
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === "too-large")
      return new DomainError("too-large", {
        detail: `A file is larger than the ${limitBytes / 1e6} MB that ${whoAllows()} allows.`,
      });
    throw problem;
  }
}

/** Counts received bytes up to the limit. Those beyond it are read and discarded, and take no storage. */
async function* countArrivals(
  stream: AsyncIterable<Buffer>,
  { limitBytes, onArrival }: Pick<WriteOptions, "limitBytes" | "onArrival">,
): AsyncGenerator<Buffer> {
  let leftBytes = limitBytes;
  for await (const chunk of stream) {
    const kept = Math.min(chunk.length, leftBytes);
    leftBytes -= kept;
    if (kept > 0) await onArrival(kept);
    yield chunk;
  }
}

/** Browsers escape exactly three characters of a file's name in this way (HTML, multipart/form-data encoding algorithm). */
const unescapeName = (name: string): string => name.replace(/%(?:22|0D|0A)/gi, decodeURIComponent);

/** Names that Windows reserves for devices, with any extension, including `COM¹`. */
const reservedOnWindows = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))/i;

/** The longest file name that most file systems accept, in bytes, with room for what we append. */
const maxNameBytes = 200;

/**
 * A file's own name, without path (Windows' too), control and direction-changing characters: `photo\u202egpj.exe` looks
 * like another file than it is.
 */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[<>:"|?*]/g, "_")
    // ReDoS: matches a run only from its first character. From every character, a name of 15,000 spaces took a second.
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, "");
  return shorten(clean.replace(reservedOnWindows, (device) => `${device}_`)) || "picture";
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= 10 ? name.slice(dot) : "";
  const stem = extension ? name.slice(0, dot) : name;
  // `encodeInto` writes only whole characters, and returns how much of the text it read.
  const room = new Uint8Array(maxNameBytes - Buffer.byteLength(extension));
  return stem.slice(0, new TextEncoder().encodeInto(stem, room).read) + extension;
}

const shownLetters = 60;

/** The error for an unknown form field. */
function unknownField(name: string, known: readonly string[]): DomainError {
  const field = name.slice(0, shownLetters);
  return new DomainError("invalid-request", { field, detail: unknownName(field, known, "field") });
}
