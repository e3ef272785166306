import { execFileSync } from "node:child_process";
import { env, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { allocatorEnvironment, engineFlags } from "../packages/server/src/platform/engine.ts";

/** Runs a script of this folder in a process like the service's engines. Gives its last line, as JSON. */
export function runScript(path: string, args: readonly string[]): unknown {
  const script = fileURLToPath(new URL(path, import.meta.url));
  const said = execFileSync(execPath, [...engineFlags, script, ...args], {
    encoding: "utf8",
    env: { ...env, ...allocatorEnvironment },
  });
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}
