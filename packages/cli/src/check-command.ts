import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { createWorkOn, faultOf, findPictures, plain, readStep } from "@tintype/toolkit";
import pLimit from "p-limit";
import { exitCodes } from "./exit-codes.ts";
import { onInterruption } from "./interruption.ts";
import { findingOf, optionsIn, type RunFlags } from "./operation-flags.ts";
import { formatBytes, formatPath, warnLinkOut } from "./output.ts";
import { openSession } from "./session.ts";

type Checked = {
  file: string;
  source_bytes: number;
  result_bytes: number;
  percent: number;
  ok: boolean;
  reason?: string;
};

export type CheckFlags = RunFlags & { percent: string; format?: string };

const reportFormats = ["text", "json", "github", "sarif"] as const;
type ReportFormat = (typeof reportFormats)[number];

/** @throws invalid-request */
function readFormat({ format, json }: { format?: string; json?: boolean }): ReportFormat {
  const found = reportFormats.find((one) => one === (format ?? (json ? "json" : "text")));
  if (!found || (json && found !== "json"))
    throw new DomainError("invalid-request", {
      detail: found
        ? "Use either --json or --format, not both."
        : `--format must be one of ${reportFormats.join(", ")}.`,
    });
  return found;
}

/** `tintype check`: always on this computer, because checks in CI should cost nothing. */
export async function checkPictures(paths: readonly string[], { percent, ...flags }: CheckFlags): Promise<number> {
  const format = readFormat(flags);
  const max = Number(percent);
  if (!(max >= 0 && max <= 100) || percent.trim() === "")
    throw new DomainError("invalid-request", { detail: "--percent must be between 0 and 100." });
  const pictures = await findPictures(paths.length > 0 ? paths : ["."], {
    cwd: process.cwd(),
    onLinkOut: warnLinkOut,
    ...findingOf(flags),
  });
  const session = await openSession({ ...flags, offline: true }, { pictures: pictures.length });
  const interruption = onInterruption({ isHandled: session.concurrency > 1 });
  try {
    const step = readStep("compress", { ...session.settings.operations.compress, ...optionsIn("compress", flags) });
    const workOn = createWorkOn({ ...session, work: { steps: [step] } });
    const limit = pLimit(session.concurrency);
    const check = async (path: string): Promise<Checked> => {
      const file = formatPath(path);
      try {
        const bytes = await readFile(path);
        const worked = await workOn({ name: file, bytes }, { signal: interruption.signal });
        const after = worked.kind === "done" ? Math.min(worked.bytes.length, bytes.length) : bytes.length;
        const saved = bytes.length === 0 ? 0 : (1 - after / bytes.length) * 100;
        return { file, source_bytes: bytes.length, result_bytes: after, percent: saved, ok: saved <= max };
      } catch (problem) {
        interruption.signal.throwIfAborted();
        return { file, source_bytes: 0, result_bytes: 0, percent: 0, ok: false, reason: faultOf(problem).reason };
      }
    };
    const checked = await Promise.all(pictures.map(({ path }) => limit(() => check(path))));
    process.stdout.write(await describe(checked, { max, format }));
    return checked.every(({ ok }) => ok) ? exitCodes.done : exitCodes.someFailed;
  } catch (problem) {
    if (interruption.signal.aborted) return exitCodes.interrupted;
    throw problem;
  } finally {
    interruption.leave();
    await session.close();
  }
}

type Limit = { max: number };

async function describe(checked: readonly Checked[], { max, format }: Limit & { format: ReportFormat }) {
  if (format === "json") return checked.map((one) => `${JSON.stringify(one)}\n`).join("");
  if (format === "text") return textOf(checked, { max });
  const { annotationsOf, sarifOf } = await import("./check-reports.ts");
  const faults = checked
    .filter(({ ok }) => !ok)
    .map((one) => ({ file: one.file, message: sentenceOf(one), isUnread: one.reason !== undefined }));
  return format === "sarif" ? sarifOf(faults) : annotationsOf(faults) + verdictOf(checked, { max });
}

const sentenceOf = ({ source_bytes: before, result_bytes: after, percent, reason }: Checked): string =>
  reason ?? `${formatBytes(before)} could be ${formatBytes(after)} (-${percent.toFixed(0)}%)`;

const textOf = (checked: readonly Checked[], limit: Limit): string =>
  checked
    .filter(({ ok }) => !ok)
    .map((one) => `${plain(`${one.file}  ${sentenceOf(one)}`)}\n`)
    .join("") + verdictOf(checked, limit);

function verdictOf(checked: readonly Checked[], { max }: Limit): string {
  const bad = checked.filter(({ ok }) => !ok).length;
  const pictures = checked.length === 1 ? "1 picture" : `${checked.length} pictures`;
  if (bad === 0)
    return `${pictures}, ${checked.length === 1 ? "it could not" : "none could"} be smaller by more than ${max}%.\n`;
  return `${bad} of ${pictures} could be smaller by more than ${max}%, or cannot be read.\n`;
}
