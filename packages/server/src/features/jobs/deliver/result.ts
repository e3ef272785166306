import type { Readable } from "node:stream";
import {
  DomainError,
  mediaTypeOf,
  type ReportedFile,
  reportOf,
  reportRow,
  uniqueNames,
  zipSize,
} from "@tintype/contract";
import type { Estimate } from "@tintype/imaging";
import type { Blobs, ByteRange } from "../../../platform/blobs/blobs.ts";
import { type FileRecord, failureOf, type JobRecord, keepsPictures, placeOf } from "../record/job.ts";
import { retrying } from "../record/retrying.ts";
import { describeNotes, reasonSentence } from "../record/sentences.ts";
import type { Deliveries } from "./delivery.ts";
import { zipStream } from "./zip-stream.ts";

/** What a job sends, and the headers that describe it. */
export type Result = {
  headers: Record<string, string>;
  sizeBytes: number;
  /** @throws gone, unavailable */
  open(): Promise<Readable>;
  /** Opens some of its bytes. A ZIP, which is made while it is sent, has no such parts. @throws gone, unavailable */
  openRange?(range: ByteRange): Promise<Readable>;
};
export type DeliveryDependencies = ResultOptions & { jobs: Deliveries; countBytesOut(bytes: number): void };
type ResultOptions = {
  blobs: Blobs;
  /** The ZIP's name, without its extension. */
  archiveName: string;
};

/** The error of a job without a result. */
export function failureOfAll(files: readonly FileRecord[]): DomainError {
  const [first] = files;
  if (first && (files.length === 1 || files.every(({ code }) => code === "discarded"))) return failureOf(first);
  const reasonOf = ({ reason }: FileRecord) => (reason === undefined ? "" : reasonSentence(reason));
  const reasons = [...new Set(files.map(reasonOf))];
  const detail =
    reasons.length === 1
      ? reasons[0]
      : files
          .map((file) => `${file.name}: ${reasonOf(file)}`)
          .slice(0, 5)
          .join(" ");
  return new DomainError("nothing-succeeded", {
    detail: `None of the ${files.length} images could be processed. ${detail}`,
  });
}

/** A job's whole result: the picture for one file, a ZIP for more. Nothing is opened yet. @throws gone */
export function wholeResult(record: JobRecord, dependencies: ResultOptions): Result {
  const [only] = record.files;
  return record.files.length === 1 && only ? fileResult(record, only, dependencies) : zipResult(record, dependencies);
}

/** One file's result. Nothing is opened yet. @throws gone */
export function fileResult(
  { id, operation, steps }: JobRecord,
  file: FileRecord,
  { blobs }: Pick<ResultOptions, "blobs">,
): Result {
  const { name, sizeBytes, mediaType, blob } = resultOf(file);
  const estimate = file.result?.estimate;
  const openRange = (range: ByteRange) => blobs.read(placeOf(id, blob), range);
  return {
    open: () => openRange({ first: 0, last: sizeBytes - 1 }),
    openRange,
    sizeBytes,
    headers: {
      ...(keepsPictures(steps) ? { "x-job": id } : {}),
      ...(estimate ? { "x-preview": headerJson(estimateView(estimate)) } : {}),
      "content-type": mediaType,
      "content-disposition": contentDisposition(name),
      "x-report": headerJson({ operation, ...reportRow(reportedFile(file)) }),
      ...(file.confidence === undefined ? {} : { "x-confidence": file.confidence.toFixed(3) }),
      ...(file.result?.candidates ? { "x-candidates": String(file.result.candidates.length) } : {}),
      ...(file.result?.incomplete ? { "x-incomplete": "true" } : {}),
      ...(file.result?.likeness === undefined ? {} : { "x-likeness": file.result.likeness.toFixed(2) }),
    },
  };
}

const estimateView = ({ sizeBytes, ...rest }: Estimate) => ({ ...rest, size_bytes: sizeBytes });

/** ASCII-only JSON for a header, whatever the name. */
const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** @throws gone */
function resultOf({ result, output }: FileRecord): {
  name: string;
  sizeBytes: number;
  mediaType: string;
  blob: string;
} {
  if (!result || output === undefined) throw new DomainError("gone");
  const { name, sizeBytes, format } = result;
  return { name, sizeBytes, mediaType: mediaTypeOf(format), blob: output };
}

function zipResult(record: JobRecord, { blobs, archiveName }: ResultOptions): Result {
  const delivered = record.files.filter(({ result }) => result);
  const kept = delivered.map(resultOf);
  const names = uniqueNames(["report.json", ...kept.map(({ name }) => name)]);
  const nameInZip = new Map(delivered.map((file, i) => [file, names[i + 1]]));
  const files = record.files.map((file) => reportedFile(file, nameInZip.get(file)));
  let first: Readable | undefined;
  const report = Buffer.from(`${JSON.stringify(reportOf({ operation: record.operation, files }), null, 2)}\n`);
  const entries = [
    { name: "report.json", sizeBytes: report.length, open: async () => report },
    ...kept.map(({ blob, sizeBytes }, i) => ({
      name: names[i + 1] ?? "",
      sizeBytes,
      async open() {
        const opened = i === 0 ? first : undefined;
        if (opened) first = undefined;
        return opened ?? retrying(() => blobs.read({ jobId: record.id, name: blob }));
      },
    })),
  ];
  return {
    async open() {
      // Before the first byte, an unresponsive store is an error. After it, retry: a ZIP cannot be taken back.
      first = await blobs.read({ jobId: record.id, name: kept[0]?.blob ?? "" });
      const stream = zipStream(entries);
      // A caller who hangs up before the first picture leaves it open.
      stream.once("close", () => first?.destroy());
      return stream;
    },
    sizeBytes: zipSize(entries),
    headers: {
      "content-type": "application/zip",
      "content-disposition": contentDisposition(`${archiveName}.zip`),
      ...(keepsPictures(record.steps) ? { "x-job": record.id } : {}),
    },
  };
}

/** A file as its report's row has it, under the name of its ZIP entry if it has one. */
const reportedFile = ({ notes, reason, result, ...file }: FileRecord, name?: string): ReportedFile => ({
  ...file,
  ...describeNotes(notes),
  ...(reason === undefined ? {} : { reason: reasonSentence(reason) }),
  ...(result ? { result: { ...result, name: name ?? result.name } } : {}),
});

/** RFC 6266: an ASCII name for old clients, and the real one in UTF-8. */
export function contentDisposition(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "_")
    .replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
