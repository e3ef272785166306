/** The exit codes of the command, as documented in docs/cli.md. */
export const exitCodes = {
  done: 0,
  someFailed: 1,
  usage: 2,
  notSignedIn: 3,
  outOfCredits: 4,
  network: 5,
  /** The shells' convention: 128 plus the number of SIGINT. */
  interrupted: 130,
} as const;

const byCode: Record<string, number> = {
  unauthorized: exitCodes.notSignedIn,
  "scope-missing": exitCodes.notSignedIn,
  "out-of-credits": exitCodes.outOfCredits,
  "network-allowance": exitCodes.outOfCredits,
  "network-blocked": exitCodes.outOfCredits,
  network: exitCodes.network,
};

type CallOutcome = { outcome: string; code?: string | undefined };

/** The exit code of a run: what stopped it as a whole, otherwise whether a file failed. */
export function exitCodeOf(reports: readonly CallOutcome[], { isInterrupted = false } = {}): number {
  if (isInterrupted) return exitCodes.interrupted;
  const stopping = reports.flatMap(({ code }) => (code !== undefined && byCode[code] ? [byCode[code]] : []));
  if (stopping[0] !== undefined) return stopping[0];
  return reports.some(({ outcome }) => outcome === "failed" || outcome === "stopped")
    ? exitCodes.someFailed
    : exitCodes.done;
}

/** The exit code of an error before the first file. */
export function exitCodeOfFault(code: string): number {
  if (code === "invalid-request" || code === "not-found") return exitCodes.usage;
  return byCode[code] ?? exitCodes.someFailed;
}
