// The command in a process that stays, started by command.ts: it runs one line after the other. Loading the code takes longer than most
// lines do.
import { runCommandLine } from "../../packages/cli/src/main.ts";

export type Line = { args: readonly string[]; cwd: string; environment: NodeJS.ProcessEnv };
export type Printed = { code: number; out: Buffer; err: Buffer };

const printed: Record<"out" | "err", Buffer[]> = { out: [], err: [] };
type Write = (piece: Uint8Array | string, ...rest: unknown[]) => boolean;
const writeTo =
  (pieces: Buffer[]): Write =>
  (piece, ...rest) => {
    pieces.push(Buffer.from(piece as string)); // or bytes, of which it makes a copy too
    const done = rest.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };
process.stdout.write = writeTo(printed.out);
process.stderr.write = writeTo(printed.err);

process.on("message", async ({ args, cwd, environment }: Line) => {
  process.chdir(cwd);
  process.env = environment;
  const code = await runCommandLine(args);
  const [out, err] = [printed.out, printed.err].map((pieces) => Buffer.concat(pieces.splice(0)));
  process.send?.({ code, out, err });
});
process.on("disconnect", () => process.exit());
