import type { FileReport } from "@tintype/toolkit";
import { formatBytes, formatReport } from "./output.ts";

/** Reports the progress of a run. */
export type Progress = {
  add(files: number): void;
  move(path: string, fraction: number): void;
  end(report: FileReport): void;
  stop(): void;
};

/** A line for each file, for logs and pipes. */
export function plainLines(write: (line: string) => void): Progress {
  return {
    add: () => {},
    move: () => {},
    end: (report) => write(`${formatReport(report)}\n`),
    stop: () => {},
  };
}

/** A bar with files, bytes saved and the time left; failures are printed above it. */
export async function progressBar(): Promise<Progress> {
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    format: "{bar} {files} files, {saved} saved, {left} left",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 24,
    hideCursor: true,
    linewrap: true, // the bar is truncated to the width; a failure above it wraps as needed
    clearOnComplete: true,
    stopOnComplete: false,
    gracefulExit: false,
    stream: process.stderr,
    noTTYOutput: false,
  });
  let [total, ended, saved] = [0, 0, 0];
  const begun = performance.now();
  const fractions = new Map<string, number>();
  const draw = () => {
    const done = ended + [...fractions.values()].reduce((sum, one) => sum + one, 0);
    const seconds = done > 0 ? ((performance.now() - begun) / 1000 / done) * (total - done) : Number.NaN;
    bar.update(done, { files: `${ended}/${total}`, saved: formatBytes(Math.max(0, saved)), left: formatTime(seconds) });
  };
  return {
    add(files) {
      if (total === 0) bar.start(files, 0, { files: `0/${files}`, saved: formatBytes(0), left: "?" });
      total += files;
      bar.setTotal(total);
      draw();
    },
    move(path, fraction) {
      fractions.set(path, fraction);
      draw();
    },
    end(report) {
      fractions.delete(report.path);
      ended += 1;
      saved += report.outcome === "done" ? report.sourceBytes - (report.resultBytes ?? 0) : 0;
      if (report.outcome === "failed") process.stderr.write(`\r\u001B[K${formatReport(report)}\n`);
      draw();
    },
    stop: () => bar.stop(),
  };
}

const formatTime = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return "?";
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};
