import { buffer } from "node:stream/consumers";
import { DomainError } from "@tintype/contract";
import { createWorkOn, makesSet, type Work } from "@tintype/toolkit";
import { exitCodes } from "./exit-codes.ts";
import { formatBytes, formatPercent } from "./output.ts";
import type { Session } from "./session.ts";

type PipeOptions = { work: Work; session: Session; signal: AbortSignal; isJson: boolean };

/** One picture from stdin to stdout. A picture that needs no work passes through unchanged. */
export async function runPipe({ work, session, signal, isJson }: PipeOptions): Promise<number> {
  if (process.stdout.isTTY)
    throw new DomainError("invalid-request", {
      detail: "A picture cannot be written to a terminal. Redirect stdout to a file.",
    });
  const bytes = await buffer(process.stdin);
  if (bytes.length === 0) throw new DomainError("not-an-image", { detail: "Nothing came over stdin." });
  // It is the prefix of the file names in a web set.
  const name = makesSet(work) ? "picture" : "stdin";
  const worked = await createWorkOn({ ...session, work })({ name, bytes }, { signal });
  const result = worked.kind === "done" ? worked.bytes : bytes;
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(result, (problem) => (problem ? reject(problem) : resolve()));
  });
  const facts = {
    outcome: worked.kind,
    source_bytes: bytes.length,
    result_bytes: result.length,
    cached: worked.isCached,
  };
  process.stderr.write(
    isJson
      ? `${JSON.stringify(facts)}\n`
      : `${formatBytes(bytes.length)} -> ${formatBytes(result.length)} (${formatPercent(bytes.length, result.length)})\n`,
  );
  return exitCodes.done;
}
