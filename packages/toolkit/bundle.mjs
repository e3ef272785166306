// The build of the published tools: the toolkit and the engine are bundled into each.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { engineVersion } from "./src/offline/engine-version.ts";

const imaging = fileURLToPath(new URL("../imaging/", import.meta.url));
/** The client's sources: its package resolves to its own build, which the tools' build does not wait for. */
const client = fileURLToPath(new URL("../client/src/node.ts", import.meta.url));

/** Paths that the engine resolves relative to its code: in the sources, and in a package. */
const places = [
  ['new URL("./tile-worker.ts", import.meta.url)', 'new URL("./tile-worker.js", import.meta.url)'],
  ['new URL("./decoder-worker.ts", import.meta.url)', 'new URL("./decoder-worker.js", import.meta.url)'],
  ['new URL("./process.ts", import.meta.url)', 'new URL("./engine-process.js", import.meta.url)'],
  ["new URL(`../../models/", "new URL(`./models/"],
];

/** Replaces the code that hashes the sources by the engine's version. */
function writeEngineVersion() {
  return {
    name: "write-engine-version",
    load: {
      filter: { id: /engine-version[.]ts$/ },
      handler: () => `export const engineVersion = () => ${JSON.stringify(engineVersion())};`,
    },
  };
}

/** Rewrites the engine's paths to its files in the package, and copies models there. */
function placeImaging(outDir, hasModels) {
  const left = new Set(places);
  return {
    name: "place-imaging",
    transform(code, id) {
      if (!id.startsWith(imaging)) return undefined;
      let placed = code;
      for (const place of places) {
        if (!placed.includes(place[0])) continue;
        left.delete(place);
        placed = placed.replace(...place);
      }
      return placed === code ? undefined : { code: placed, map: null };
    },
    generateBundle() {
      for (const [place] of left) this.error(`The engine's sources no longer have ${place}.`);
    },
    writeBundle() {
      if (hasModels) cpSync(join(imaging, "models"), join(outDir, "models"), { recursive: true });
    },
  };
}

/** Collects the licences of the bundled packages, as each requires. */
function collectLicences() {
  return {
    name: "collect-licences",
    generateBundle(_, bundle) {
      const folders = new Set(
        Object.values(bundle)
          .flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
          .flatMap((id) => /^.*[/]node_modules[/](?:@[^/]+[/])?[^/]+/.exec(id)?.[0] ?? []),
      );
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
        return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
      });
      this.emitFile({ type: "asset", fileName: "LICENCES.txt", source: texts.join(`\n${"-".repeat(72)}\n\n`) });
    },
  };
}

/**
 * A configuration for tsdown. `entry` are the tool's own files; those of `typed` get declarations. A tool that only compresses needs no `hasModels`.
 * @param {{ configUrl: string, entry: Record<string, string>, typed: Record<string, string>, hasModels?: boolean }} options
 */
export function toolBuild({ configUrl, entry, typed, hasModels = true }) {
  const root = dirname(fileURLToPath(configUrl));
  const outDir = resolve(root, "dist");
  const common = {
    cwd: root,
    platform: "node",
    target: "node20",
    format: "esm",
    fixedExtension: false,
    sourcemap: false,
    alias: { "@tintype/client": client },
  };
  return [
    {
      ...common,
      entry: {
        ...entry,
        "engine-process": join(imaging, "src/process.ts"),
        "tile-worker": join(imaging, "src/cutout/tile-worker.ts"),
        "decoder-worker": join(imaging, "src/formats/decoder-worker.ts"),
      },
      dts: false,
      minify: { compress: true, mangle: false, codegen: false },
      deps: { neverBundle: ["onnxruntime-node"], onlyBundle: false },
      plugins: [writeEngineVersion(), placeImaging(outDir, hasModels), collectLicences()],
    },
    {
      ...common,
      entry: typed,
      dts: { emitDtsOnly: true, build: true },
      clean: false,
      deps: { neverBundle: ["vite", "rollup", "webpack", "unplugin"] },
    },
  ];
}
