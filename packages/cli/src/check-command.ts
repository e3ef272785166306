import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { createWorkOn, faultOf, findPictures, plain, readStep } from "@tintype/toolkit";
import pLimit from "p-limit";
import { exitCodes } from "./exit-codes.ts";
import { onInterruption } from "./interruption.ts";
import { optionsIn, type RunFlags } from "./operation-flags.ts";
import { formatBytes, formatPath } from "./output.ts";
import { openSession } from "./session.ts";

type Checked = {
  file: string;
  source_bytes: number;
  result_bytes: number;
  percent: number;
  ok: boolean;
  reason?: string;
};

/** `tintype check`: always on this computer, because checks in CI should cost nothing. */
export async function checkPictures(
  paths: readonly string[],
  { percent, ...flags }: RunFlags & { percent: string },
): Promise<number> {
  const most = Number(percent);
  if (!(most >= 0 && most <= 100) || percent.trim() === "")
    throw new DomainError("invalid-request", { detail: "--percent must be between 0 and 100." });
  const pictures = await findPictures(paths.length > 0 ? paths : ["."], { cwd: process.cwd() });
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
        return { file, source_bytes: bytes.length, result_bytes: after, percent: saved, ok: saved <= most };
      } catch (problem) {
        interruption.signal.throwIfAborted();
        return { file, source_bytes: 0, result_bytes: 0, percent: 0, ok: false, reason: faultOf(problem).reason };
      }
    };
    const checked = await Promise.all(pictures.map(({ path }) => limit(() => check(path))));
    printReport(checked, { most, isJson: flags.json === true });
    return checked.every(({ ok }) => ok) ? exitCodes.done : exitCodes.someFailed;
  } catch (problem) {
    if (interruption.signal.aborted) return exitCodes.interrupted;
    throw problem;
  } finally {
    interruption.leave();
    await session.close();
  }
}

function printReport(checked: readonly Checked[], { most, isJson }: { most: number; isJson: boolean }): void {
  if (isJson) {
    for (const one of checked) process.stdout.write(`${JSON.stringify(one)}\n`);
    return;
  }
  const bad = checked.filter(({ ok }) => !ok);
  for (const { file, source_bytes: before, result_bytes: after, percent, reason } of bad)
    process.stdout.write(
      `${plain(reason === undefined ? `${file}  ${formatBytes(before)} could be ${formatBytes(after)} (-${percent.toFixed(0)}%)` : `${file}  ${reason}`)}\n`,
    );
  process.stdout.write(
    bad.length === 0
      ? `${checked.length} pictures, none could be smaller by more than ${most}%.\n`
      : `${bad.length} of ${checked.length} pictures could be smaller by more than ${most}%, or cannot be read.\n`,
  );
}
