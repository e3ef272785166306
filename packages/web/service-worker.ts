import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The fields of rolldown's chunk that we read. */
type Chunk = { fileName: string; imports: string[]; dynamicImports: string[]; moduleIds: string[] };

const source = join(import.meta.dirname, "worker/service-worker.js");

/** Modules of the first page that are useless offline. */
const isOnlineOnly = ({ moduleIds }: Chunk) => moduleIds.some((id) => /node_modules\/@?firebase\//.test(id));

/** All files that the studio may need, starting from its page: offline, nothing more can be fetched. */
function filesOfStudio(chunks: readonly Chunk[]): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<string>();
  const visit = (name: string) => {
    const chunk = byName.get(name);
    if (!chunk || found.has(name) || isOnlineOnly(chunk)) return;
    found.add(name);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  for (const { fileName, moduleIds } of chunks)
    if (moduleIds.some((id) => /\/app\/(root|routes\/home)[.]tsx/.test(id))) visit(fileName);
  return [...found].sort();
}

/** Writes `/sw.js` with the files of this build. The same build produces the same worker. */
export const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  generateBundle(_, bundle) {
    if (this.environment.name !== "client") return;
    const chunks = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? [one] : []));
    // Web workers are assets, which no chunk imports.
    const workers = Object.keys(bundle).filter((name) => /[.]worker-[^/]*[.]js$/.test(name));
    const files = [...filesOfStudio(chunks), ...workers.sort()].map((name) => `/${name}`);
    const text = readFileSync(source, "utf8");
    const version = createHash("sha256").update(text).update(files.join()).digest("hex").slice(0, 16);
    this.emitFile({
      type: "asset",
      fileName: "sw.js",
      source: text.replace("__VERSION__", JSON.stringify(version)).replace("__FILES__", JSON.stringify(files)),
    });
  },
};
