import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const imaging = fileURLToPath(new URL("../../../imaging/", import.meta.url));

/**
 * A digest of the engine's sources and of its package.json, which pins the encoders: with the same digest, the same
 * bytes and work give the same result. `toolBuild` in `bundle.mjs` writes the value into the packages, which ship
 * without sources.
 */
export function engineVersion(folder: string = imaging): string {
  const sum = createHash("sha256");
  const isOfEngine = (name: string) =>
    name.endsWith(".ts") && !name.endsWith(".test.ts") && !/(^|[/\\])(testing|build)[/\\]/.test(name);
  const sources = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).filter(isOfEngine).sort();
  for (const name of ["package.json", ...sources.map((source) => join("src", source))]) {
    const bytes = readFileSync(join(folder, name));
    sum.update(`${name.replaceAll("\\", "/")} ${bytes.length}\n`).update(bytes);
  }
  return sum.digest("hex").slice(0, 16);
}
