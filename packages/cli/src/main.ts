import { CommanderError } from "commander";
import { exitCodes } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

/** Runs this process's command line and exits. */
export async function main(): Promise<void> {
  let ended: number | undefined;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (problem: NodeJS.ErrnoException) => {
      // `tintype ... | head`: a reader that closes the pipe ends the command too, when some files may not be done.
      if (problem.code === "EPIPE") process.exit(ended ?? exitCodes.someFailed);
      if (stream === process.stdout) process.stderr.write(`tintype: The output cannot be written (${problem.code}).\n`);
      process.exit(exitCodes.someFailed);
    });
  ended = await runCommandLine(process.argv.slice(2));
  // Exit instead of waiting for idle pool threads to time out, which users would notice.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(ended);
}

/** Runs one command line. Returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (problem) {
    if (problem instanceof CommanderError) return problem.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const { describeFault } = await import("./describe-fault.ts");
    const { sentence, exitCode } = describeFault(problem);
    if (process.env["TINTYPE_DEBUG"]) console.error(problem);
    else process.stderr.write(`tintype: ${sentence}\n`);
    return exitCode;
  }
}

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });
