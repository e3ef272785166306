import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { faultOf } from "@tintype/toolkit";
import { checkServer } from "@tintype/toolkit/server";
import { type McpConfig, readConfig, UsageFault, usage } from "./config.ts";
import { createCreditCap } from "./credit-cap.ts";
import { mcpServerAt } from "./mcp-server.ts";
import { serveHttp } from "./serve-http.ts";
import { openWorkspace } from "./workspace.ts";

/** Messages go to stderr: stdout belongs to the protocol. */
const printLine = (line: string) => process.stderr.write(`${line}\n`);

/** Runs until the connection closes or a signal arrives. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const config = readConfig(args, process.env);
    if (config !== "help") return await serve(config);
    process.stdout.write(`${usage}\n`);
    return 0;
  } catch (problem) {
    printLine(problem instanceof Error ? problem.message : String(problem));
    if (problem instanceof UsageFault) printLine("Run tintype-mcp --help for usage.");
    return problem instanceof UsageFault ? 2 : 1;
  }
}

async function serve(config: McpConfig): Promise<number> {
  if (config.server)
    await checkServer(config.server.origin, (sentence) => printLine(`Warning: ${sentence}`)).catch(
      (problem: unknown) => {
        throw new UsageFault(faultOf(problem).reason);
      },
    );
  const place = await openWorkspace(config);
  const { folders, backend } = place;
  printLine(`Folders: ${folders.roots.join(", ")}. ${backend.locationNote}`);
  try {
    const { close } = config.http ? await startHttp(config.http, place) : serveStdio(mcpServerAt(place));
    await new Promise<void>((end) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end());
      if (config.http) return;
      for (const event of ["end", "close"] as const) process.stdin.once(event, () => end()); // a file or /dev/null never closes
      process.stdout.once("error", () => end()); // the host closed the pipe
    });
    await close();
    return 0;
  } finally {
    await place.close();
  }
}

type ServerAddress = Parameters<typeof mcpServerAt>[0];

async function startHttp(http: NonNullable<McpConfig["http"]>, place: ServerAddress) {
  const { url, close } = await serveHttp(() => mcpServerAt({ ...place, cap: createCreditCap(place.cap.max) }), http);
  printLine(`Listening at ${url}`);
  if (http.isTokenNew) printLine(`Token: ${http.token}`);
  return { close };
}
