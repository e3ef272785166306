import { type Camel, toCamel } from "./casing.ts";
import type { ReportRow as ApiReportRow, Credits } from "./generated/types.gen.ts";
import { readZip } from "./zip.ts";

/** A row of the report: one file, its outcome, its sizes, and notes on what was decided. */
export type ReportRow = Camel<ApiReportRow>;
export type Report = { files: ReportRow[] };

export type Result = {
  /** The picture, or the ZIP of a web set; for several pictures, a ZIP. */
  blob: Blob;
  /** Its file name. */
  name: string;
  /** Each picture separately; for a single web set, each of its files. They are slices of `blob`. */
  files: { name: string; blob: Blob }[];
  report: Report;
  /** Credits charged and remaining; undefined for what is free. */
  credits: Credits | undefined;
  requestId: string | undefined;
};

/** A response that has been read completely. */
export type Answer = { status: number; headers: Headers; blob: Blob };

const reportName = "report.json";

/** `sent` are the pictures of the call, for the case that nothing had to be done to them. */
export async function resultOf({ headers, blob }: Answer, sent: readonly File[]): Promise<Result> {
  const shared = { credits: creditsOf(headers), requestId: headers.get("x-request-id") ?? undefined };
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return { ...shared, ...unchanged(await blob.text(), sent) };
  const name = nameOf(headers.get("content-disposition") ?? "");
  const row = headers.get("x-report");
  const isZip = type.startsWith("application/zip");
  const entries = isZip ? await readZip(blob) : [{ name, blob }];
  // A ZIP with a report row of its own is one web set.
  if (!isZip || row !== null) {
    const files = row === null ? [] : [toCamel(JSON.parse(row) as ApiReportRow)]; // the API describes X-Report so
    return { ...shared, blob, name, files: entries, report: { files } };
  }
  const written = entries.find((entry) => entry.name === reportName);
  const { files } = written ? (JSON.parse(await written.blob.text()) as { files: ApiReportRow[] }) : { files: [] };
  return {
    ...shared,
    blob,
    name,
    files: entries.filter((entry) => entry !== written),
    report: { files: files.map((row) => toCamel(row)) },
  };
}

/** Source and target format are the same: the picture is its own result. */
function unchanged(body: string, sent: readonly File[]) {
  const { message: reason } = JSON.parse(body) as { message: string }; // the API's Message
  const [first = new File([], "")] = sent;
  return {
    blob: first as Blob,
    name: first.name,
    files: sent.map((file) => ({ name: file.name, blob: file as Blob })),
    report: {
      files: sent.map(({ name, size }): ReportRow => {
        return { file: name, outcome: "unchanged", reason, sourceBytes: size, notes: [] };
      }),
    },
  };
}

function creditsOf(headers: Headers): Credits | undefined {
  const number = (name: string) => Number(headers.get(`x-credits-${name}`));
  if (!headers.has("x-credits-charged")) return undefined;
  return { charged: number("charged"), remaining: number("remaining"), limit: number("limit") };
}

/** RFC 6266: the UTF-8 name takes precedence over the plain one. */
function nameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]*)"/i.exec(disposition)?.[1] ?? "");
}
