import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../../", import.meta.url));
/** The packages that the engine is made of, besides the contract. */
const ofEngine = ["codecs", "imaging"];

/**
 * A digest of the engine's sources and of their package.json files, which pin the encoders: with the same digest, the
 * same bytes and work give the same result. `toolBuild` in `bundle.mjs` writes the value into the packages, which ship
 * without sources.
 */
export function engineVersion(folder: string = packages): string {
  const sum = createHash("sha256");
  const isSource = (name: string) =>
    name.endsWith(".ts") && !name.endsWith(".test.ts") && !/(^|[/\\])(testing|build)[/\\]/.test(name);
  for (const name of ofEngine) {
    const root = join(folder, name);
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(isSource).sort();
    for (const file of ["package.json", ...sources.map((source) => join("src", source))]) {
      const bytes = readFileSync(join(root, file));
      sum.update(`${name}/${file.replaceAll("\\", "/")} ${bytes.length}\n`).update(bytes);
    }
  }
  return sum.digest("hex").slice(0, 16);
}
