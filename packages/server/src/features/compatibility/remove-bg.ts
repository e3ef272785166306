import { Readable } from "node:stream";
import { DomainError, errors, formatNamed, isPrivate, type RecipeStep, text } from "@tintype/contract";
import { readStep } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readBody } from "../../http/body-memory.ts";
import type { Authenticate } from "../../http/caller.ts";
import { hangUpSignal } from "../../http/endpoint.ts";
import { noteRefusal } from "../../http/errors.ts";
import {
  type SpooledForm,
  type SpooledPicture,
  type SpoolOptions,
  spoolForm,
  spoolPicture,
  urlField,
} from "../../http/upload.ts";
import { creditsLeft } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import { recordDelivery } from "../jobs/deliver/deliver.ts";
import { fileResult } from "../jobs/deliver/result.ts";
import type { Run, RunDependencies } from "../jobs/http/run.ts";
import type { Order } from "../jobs/order/order.ts";
import { decodeBase64, splitJson, splitUrlEncoded } from "./base64-field.ts";
import { createForeignCallers } from "./foreign-caller.ts";

type RemoveBgRoutes = Pick<RunDependencies, "jobs" | "blobs" | "countBytesOut"> & {
  run: Run;
  ledger: Ledger;
  authenticate: Authenticate;
};

const base = "/api/remove.bg/v1.0";
const base64Field = "image_file_b64";
/** A JSON body. */
const bodySchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const texts = [
  ...[
    "size",
    "type",
    "type_level",
    "format",
    "bg_color",
    "bg_image_url",
    "roi",
    "crop",
    "crop_margin",
    "scale",
    "position",
  ],
  ...["channels", "add_shadow", "shadow_type", "shadow_opacity", "semitransparency", base64Field],
];

/** remove.bg's API, for existing clients, according to remove.bg/api. docs/moving-in.md lists the differences. */
export async function mountRemoveBg(app: FastifyInstance, dependencies: RemoveBgRoutes): Promise<void> {
  await app.register(async (scope) => {
    // A picture in base64 is spooled as it arrives, like a form's.
    scope.removeContentTypeParser("application/json");
    mountRoutes(scope, dependencies);
  });
}

function mountRoutes(app: FastifyInstance, { run, jobs, blobs, ledger, ...dependencies }: RemoveBgRoutes): void {
  const { identify, callerOf } = createForeignCallers(dependencies.authenticate, ({ headers }) => {
    const key = headers["x-api-key"];
    return typeof key === "string" ? key : undefined;
  });
  const route = { errorHandler: sendError, exposeHeadRoute: false, preParsing: identify } as const;

  app.post(`${base}/removebg`, route, async (request, reply) => {
    const caller = callerOf(request);
    const order: Order = {
      known: { texts: [...texts, urlField], files: ["image_file"] },
      noFiles: text.selectImage,
      isCharged: true,
      auxiliaryFiles: [{ field: "bg_image_file", role: "background" }],
      readForm,
      stepsOf: async (fields) => stepsOf(fields),
      async respond({ id }, { credits }) {
        const record = await jobs.beginDelivery(id);
        const [file] = record.files;
        if (!file?.result) throw new DomainError("gone");
        const { headers, sizeBytes, ...result } = fileResult(record, file, { blobs });
        const stream = recordDelivery(await result.open(), { record, reply, jobs });
        dependencies.countBytesOut(sizeBytes);
        reply.headers({
          "x-width": file.result.width,
          "x-height": file.result.height,
          ...(isPrivate() ? {} : { "x-credits-charged": credits?.charged ?? 0 }),
        });
        if (/\bapplication\/json\b/.test(request.headers.accept ?? ""))
          return reply.type("application/json").send(Readable.from(jsonOf(stream)));
        return reply
          .headers({
            "content-type": headers["content-type"],
            "content-length": sizeBytes,
            "content-disposition": headers["content-disposition"],
          })
          .send(stream);
      },
    };
    return run(request, reply, { caller, signal: hangUpSignal(reply), order });
  });

  app.get(`${base}/account`, route, async (request, reply) => {
    const usage = await ledger.usage(callerOf(request));
    const total = creditsLeft(usage) ?? plentyOfCredits;
    return reply.send({
      data: {
        attributes: {
          credits: { total, subscription: total, payg: 0, enterprise: 0 },
          api: { free_calls: 0, sizes: "all" },
        },
      },
    });
  });
}

/** What programs of remove.bg are told where credits have no limit: they stop at none. */
const plentyOfCredits = 1_000_000;

/** multipart/form-data, application/x-www-form-urlencoded or JSON. A file may be base64 or an address instead. */
async function readForm(request: FastifyRequest, spooling: SpoolOptions): Promise<SpooledForm> {
  const form = request.isMultipart() ? await spoolForm(request, spooling) : await readFields(request, spooling);
  const { [base64Field]: encoded = "", [urlField]: url = "", ...fields } = form.fields;
  const urls = [...form.urls, ...(url.trim() === "" ? [] : [url.trim()])];
  const pictures = form.files.filter(({ field }) => field === "image_file");
  if (pictures.length + urls.length + (encoded.trim() === "" ? 0 : 1) > 1) throw new SeveralSources();
  const index = form.files.length;
  const picture = await spoolBase64(decodeBase64(Readable.from([encoded])), { index, spooling });
  return { files: [...form.files, ...picture], fields, urls };
}

/** remove.bg takes one picture a call, in one of three fields. */
class SeveralSources extends DomainError {
  constructor() {
    super("invalid-request", {
      field: "image_file",
      detail: "Send one image a call, as image_file, image_url or image_file_b64.",
    });
  }
}

async function readFields(request: FastifyRequest, spooling: SpoolOptions): Promise<SpooledForm> {
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "");
  const others: string[] = [];
  const body = limitBytes(readBody(request), 2 * spooling.limits.megabytesPerFile * 1e6);
  const pieces = (isJson ? splitJson : splitUrlEncoded)(body, { field: base64Field, others });
  const files = await spoolBase64(decodeBase64(pieces), { index: 0, spooling });
  const text = Buffer.from(others.join(""), "latin1").toString();
  request.holdBytes(text.length);
  const sent =
    isJson && text.trim() !== "" ? bodySchema.parse(parseJson(text)) : Object.fromEntries(new URLSearchParams(text));
  const odd = Object.keys(sent).find((name) => !spooling.known.texts.includes(name));
  if (odd !== undefined) throw refusal(odd, `There is no parameter "${odd.slice(0, 60)}".`);
  const fields = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value ?? "")]));
  return { files, fields, urls: [] };
}

/** Base64 has a third more bytes than the picture, and escapes have more. */
async function* limitBytes(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new DomainError("too-large");
    yield chunk;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw new DomainError("invalid-request", { detail: "The body is not valid JSON.", cause: problem });
  }
}

/** The picture, if there are any bytes. */
async function spoolBase64(
  bytes: AsyncGenerator<Buffer>,
  { index, spooling }: { index: number; spooling: SpoolOptions },
): Promise<SpooledPicture[]> {
  const first = await bytes.next();
  if (first.done) return [];
  const stream = (async function* () {
    yield first.value;
    yield* bytes;
  })();
  return [await spoolPicture(Readable.from(stream), { name: "picture", field: "image_file", index }, spooling)];
}

/** The bytes in base64 within a JSON document, as they are read. */
async function* jsonOf(picture: AsyncIterable<Buffer>): AsyncGenerator<string> {
  yield '{"data":{"result_b64":"';
  let rest = Buffer.alloc(0);
  for await (const chunk of picture) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString("base64", 0, whole);
    rest = bytes.subarray(whole);
  }
  yield `${rest.toString("base64")}"}}`;
}

const refusal = (field: string, detail: string) => new DomainError("invalid-request", { field, detail });

/** Output sizes below the picture's own, as the side in px of a square with that many megapixels. */
const longestPx = new Map(Object.entries({ preview: 500, small: 500, regular: 500, medium: 1224, hd: 2000 }));
const wholeSizes = ["", "auto", "full", "4k", "50MP"];
const profiles = new Map(
  Object.entries({
    person: "portrait_pro",
    product: "product_pro",
    car: "product_pro",
    transportation: "product_pro",
    graphic: "product_pro",
    auto: "auto_rembg",
    animal: "auto_rembg",
    other: "auto_rembg",
  }),
);

/** @throws invalid-request for unsupported options, rather than ignoring them silently */
function stepsOf(sent: Record<string, string>): [RecipeStep, ...RecipeStep[]] {
  const field = (name: string) => sent[name]?.trim() ?? "";
  const isOn = (name: string) => {
    if (!/^(true|false|1|0|)$/i.test(field(name))) throw refusal(name, `${name} is true or false.`);
    return /^(true|1)$/i.test(field(name));
  };
  for (const [name, usual] of [
    ["bg_image_url", [""]],
    ["scale", ["", "original", "100%"]],
    ["position", ["", "original", "center", "50%", "50% 50%"]],
    ["shadow_type", ["", "none", "auto"]],
  ] as const)
    if (!usual.some((one) => one === field(name))) throw refusal(name, `${name} is not supported here.`);
  if (isOn("add_shadow")) throw refusal("add_shadow", "add_shadow is not supported here.");
  const size = field("size");
  const longest = longestPx.get(size);
  if (longest === undefined && !wholeSizes.includes(size))
    throw refusal("size", `There is no size "${size.slice(0, 40)}".`);
  const profile = profiles.get(field("type") || "auto");
  if (!profile) throw refusal("type", `There is no type "${field("type").slice(0, 40)}".`);
  const isMask = field("channels") === "alpha";
  if (!isMask && !["", "rgba"].includes(field("channels"))) throw refusal("channels", "channels is rgba or alpha.");
  const format = field("format");
  const named = ["", "auto"].includes(format) ? "png" : formatNamed(format);
  if (named !== "png" && named !== "jpeg" && named !== "webp")
    throw refusal("format", "format is auto, png, jpg or webp; zip is not supported here.");
  const background = colourOf(field("bg_color"));
  const cut = readStep("remove-background", {
    profile,
    editable: false,
    mask_only: isMask,
    target_format: named,
    ...(background === undefined ? {} : { background }),
    ...(isOn("crop") ? { crop: true, margin: marginOf(field("crop_margin")) } : {}),
  });
  const roi = field("roi");
  const before = roi === "" ? [] : [readStep("crop", boxOf(roi))];
  const after = longest === undefined ? [] : [readStep("resize", { width: longest, height: longest, method: "fit" })];
  const [first, ...rest] = [...before, cut, ...after];
  return [first ?? cut, ...rest];
}

/** `81d4fa`, `#fff` or `green`. The last two of eight digits are the opacity. */
function colourOf(sent: string): string | undefined {
  if (sent === "") return undefined;
  const [, digits = "", opacity = "ff"] = /^#?([0-9a-f]{3}|[0-9a-f]{6})([0-9a-f]{2})?$/i.exec(sent) ?? [];
  if (digits === "") return sent;
  if (opacity === "00") return "transparent";
  if (opacity.toLowerCase() !== "ff") throw refusal("bg_color", "A semi-transparent bg_color is not supported.");
  return `#${digits}`;
}

function marginOf(sent: string): number {
  if (sent === "" || /^0(px|%)?$/.test(sent)) return 0;
  const percent = /^(\d{1,2})%$/.exec(sent)?.[1];
  if (percent === undefined) throw refusal("crop_margin", "crop_margin is one percentage here, 0% to 50%.");
  return Number(percent);
}

function boxOf(roi: string): object {
  const sides = /^(\d+)(?:px)?\s+(\d+)(?:px)?\s+(\d+)(?:px)?\s+(\d+)(?:px)?$/.exec(roi)?.slice(1).map(Number);
  if (!sides) throw refusal("roi", "roi is four numbers of pixels here: x1 y1 x2 y2.");
  const [x1, y1, x2, y2] = sides as [number, number, number, number]; // four groups
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}

/** remove.bg's codes and statuses for the errors that it shares with us. */
const codes: Record<string, { status: number; code: string }> = {
  unauthorized: { status: 403, code: "auth_failed" },
  "scope-missing": { status: 403, code: "auth_failed" },
  "out-of-credits": { status: 402, code: "insufficient_credits" },
  "too-many-requests": { status: 429, code: "rate_limit_exceeded" },
  "no-files": { status: 400, code: "missing_source" },
  "invalid-request": { status: 400, code: "invalid_parameters" },
  "too-large": { status: 400, code: "file_size_too_large" },
  "not-an-image": { status: 400, code: "invalid_file_type" },
  "broken-image": { status: 400, code: "failed_to_read_image" },
  "too-many-pixels": { status: 400, code: "resolution_too_high" },
  "cannot-process": { status: 400, code: "unknown_foreground" },
  "url-refused": { status: 400, code: "failed_to_download" },
  "url-unavailable": { status: 400, code: "failed_to_download" },
};

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = noteRefusal(request, reply, thrown);
  const { status, title } = errors[problem.code];
  const shown =
    thrown instanceof SeveralSources
      ? { status: 400, code: "multiple_sources" }
      : (codes[problem.code] ?? { status, code: problem.code.replaceAll("-", "_") });
  return reply
    .code(shown.status)
    .type("application/json")
    .send({ errors: [{ title, code: shown.code, detail: problem.detail }] });
}
