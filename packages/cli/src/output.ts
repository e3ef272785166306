import { relative } from "node:path";
import { type FileReport, plain } from "@tintype/toolkit";
import { withFlags } from "./operation-flags.ts";

/** Sizes and paths in readable form. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

export function formatPercent(before: number, after: number): string {
  if (before === 0) return "";
  const change = ((after - before) / before) * 100;
  return `${change > 0 ? "+" : change < 0 ? "-" : ""}${Math.abs(change).toFixed(Math.abs(change) < 10 ? 1 : 0)}%`;
}

export const formatPath = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near === "" || near.startsWith("..") ? path : near;
};

export const warnLinkOut = (path: string): void => {
  process.stderr.write(`${plain(`${formatPath(path)} is a link out of its folder and is left out.`)}\n`);
};

export const printWarning = (sentence: string): void => {
  process.stderr.write(`${plain(`Warning: ${sentence}`)}\n`);
};

/** The output line of a file. */
export function formatReport(report: FileReport): string {
  const path = formatPath(report.path);
  const { outcome, sourceBytes, resultBytes, resultPath, isCached, likeness } = report;
  const reason = report.code === "size-unreachable" ? withFlags(report.reason ?? "") : report.reason;
  if (outcome === "failed") return plain(`${path}  failed: ${reason}`);
  // Its reason was given with an earlier file and is in the summary.
  if (outcome === "stopped") return plain(`${path}  not done`);
  const place = resultPath === undefined || resultPath === report.path ? "" : `  ${formatPath(resultPath)}`;
  if (outcome === "unchanged") return plain(`${path}  as it is: ${reason}${place}`);
  const sizes = `${formatBytes(sourceBytes)} -> ${formatBytes(resultBytes ?? 0)} (${formatPercent(sourceBytes, resultBytes ?? 0)})`;
  const like = likeness === undefined ? "" : `  likeness ${likeness.toFixed(1)}`;
  return plain(`${path}  ${sizes}${like}${place}${isCached ? "  known" : ""}`);
}

/** A file's report as a line of JSON, with the names of the API's report. */
export const jsonOf = (report: FileReport): string =>
  JSON.stringify({
    file: formatPath(report.path),
    outcome: report.outcome,
    code: report.code,
    reason: report.reason,
    result: report.resultPath === undefined ? undefined : formatPath(report.resultPath),
    source_bytes: report.sourceBytes,
    result_bytes: report.resultBytes,
    width: report.width,
    height: report.height,
    confidence: report.confidence,
    likeness: report.likeness,
    notes: report.notes,
    credits: report.credits,
    cached: report.isCached,
  });

/** Rows of a table, the first column left-aligned and the others right-aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** The summary of a run. */
export function summaryOf(reports: readonly FileReport[], { seconds }: { seconds: number }): string {
  const of = (outcome: FileReport["outcome"]) => reports.filter((report) => report.outcome === outcome);
  const sum = (some: readonly FileReport[], value: (report: FileReport) => number) =>
    some.reduce((total, report) => total + value(report), 0);
  const done = of("done");
  const [before, after] = [
    sum(done, ({ sourceBytes }) => sourceBytes),
    sum(done, ({ resultBytes }) => resultBytes ?? 0),
  ];
  const rows = [
    ["", "files", "before", "after", "change"],
    ["done", `${done.length}`, formatBytes(before), formatBytes(after), formatPercent(before, after)],
    ...(["unchanged", "failed", "stopped"] as const)
      .map((outcome) => [
        outcome === "unchanged" ? "as they are" : outcome === "stopped" ? "not done" : outcome,
        `${of(outcome).length}`,
      ])
      .filter(([, count]) => count !== "0"),
  ];
  const known = reports.filter(({ isCached }) => isCached).length;
  const credits = sum(reports, (report) => report.credits);
  const facts = [
    `${seconds.toFixed(1)} s`,
    ...(known > 0 ? [`${known} known`] : []),
    ...(credits > 0 ? [`${credits} ${credits === 1 ? "credit" : "credits"}`] : []),
  ];
  return `${table(rows)}${facts.join(", ")}\n`;
}
