import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineProcess } from "@tintype/imaging";
import { engineFlags } from "../platform/engine.ts";
import { engineUid } from "../platform/sandbox.ts";

/**
 * Compiles the engine's code once per test run, which starts some hundred engines: an engine is then ready after 0.4 s of
 * CPU time instead of 1.0. It is in `node_modules`, which sandboxed engines can read but not write. Returns a function
 * that removes it.
 */
export function makeCompileCache(): () => void {
  if (process.env["NODE_COMPILE_CACHE"] !== undefined) return () => {}; // of the run that started this one, or somebody's own
  const folder = fileURLToPath(new URL("../../../../node_modules/.cache", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const cache = mkdtempSync(join(folder, "compiled-"));
  chmodSync(cache, 0o755);
  process.env["NODE_COMPILE_CACHE"] = cache;
  // Without a parent server it exits once loaded, and writes the cache.
  const { status } = spawnSync(process.execPath, [...engineFlags, fileURLToPath(engineProcess)]);
  if (status !== 0) throw new Error(`The engine ended with ${status}.`);
  // Node.js has a folder for each version, set of flags and user: under root, engines run as another user.
  for (const name of readdirSync(cache).filter((name) => name.endsWith("-0"))) {
    const ofEngines = join(cache, name.replace(/0$/, String(engineUid)));
    cpSync(join(cache, name), ofEngines, { recursive: true });
    for (const file of readdirSync(ofEngines)) chmodSync(join(ofEngines, file), 0o644);
  }
  return () => rmSync(cache, { recursive: true, force: true, maxRetries: 3 });
}
