import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createUnplugin, type UnpluginInstance } from "unplugin";
import {
  checkOptions,
  compressAssets,
  compressFolder,
  isMeant,
  type Logger,
  type Options,
  reportNone,
} from "./pictures.ts";
import { type AddressOf, createSetImports, digest, type ImportContext, viteAddress } from "./set-imports.ts";
import { idOf, moduleOf, readId, readImport, resolveBeside } from "./web-set.ts";

export type { ImportedSet } from "./imported-set.ts";
export type { Options } from "./pictures.ts";

const name = "tintype";
const consoleLogger: Logger = {
  info: (line) => console.info(`[${name}] ${line}`),
  warn: (line) => console.warn(`[${name}] ${line}`),
};

/** The parts of a Vite or Rollup bundle that are read here. */
type Bundle = Record<string, { type: string; source?: string | Uint8Array }>;

/** The parts of webpack that are used here: it is not a dependency. */
type Source = { source(): string | Buffer };
type Compilation = {
  hooks: {
    processAssets: {
      tapPromise(order: { name: string; stage: number }, work: (assets: Record<string, Source>) => Promise<void>): void;
    };
  };
  updateAsset(path: string, source: unknown): void;
  getAsset(path: string): { info: Record<string, unknown> } | undefined;
};
/** webpack stores what a loader emits with the module, so a build from webpack's cache has it too. */
type Loader = { emitFile(name: string, bytes: Buffer, map: undefined, info: Record<string, unknown>): void };
type Compiler = {
  options: {
    mode?: string;
    output: { path?: string };
    resolveLoader?: { alias?: Record<string, unknown> | readonly unknown[] | false };
  };
  webpack: {
    Compilation: { PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE: number };
    sources: { RawSource: new (bytes: Buffer) => unknown };
  };
  hooks: { thisCompilation: { tap(name: string, work: (compilation: Compilation) => void): void } };
};

/** Where webpack emits the files of sets, relative to its output folder and to its public path. */
type SetPlace = { folder: string; path: string };

/**
 * Next.js serves `static` of its build folder alone, and has a compiler for browsers and others for servers, which put
 * their output into folders of their own.
 */
function setPlaceOf({ options: { output, resolveLoader } }: Compiler): SetPlace {
  if (!Object.hasOwn(resolveLoader?.alias || {}, "next-swc-loader")) return { folder: "", path: "" };
  const path = "static/media/";
  const folder = output.path ?? "";
  const [build = folder] = folder.split(/[\\/]server(?=[\\/]|$)/);
  return { folder: `${relative(folder, join(build, path)).replaceAll("\\", "/")}/`, path };
}

/** Marks the files of web sets among webpack's assets: they are already compressed. */
const setMark = "tintypeWebSet";

/** @returns the number of pictures */
async function compressBundle(
  bundle: Bundle,
  options: Options,
  isOfSet: (bytes: Uint8Array) => boolean,
): Promise<number> {
  const assets = Object.entries(bundle).flatMap(([path, { source }]) =>
    source instanceof Uint8Array && isMeant(path, options) && !isOfSet(source) ? [{ name: path, bytes: source }] : [],
  );
  for (const [path, bytes] of await compressAssets(assets, options, consoleLogger)) {
    const asset = bundle[path];
    if (asset) asset.source = bytes;
  }
  return assets.length;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // does not exist
  }
}

/** The plugin for each bundler: it compresses the pictures that a build emits, and generates the web sets that modules import. */
const plugin: UnpluginInstance<Options | undefined> = createUnplugin<Options | undefined>((options = {}) => {
  checkOptions(options);
  let copied: { from: string; to: string } | undefined;
  let begunAt = 0;
  let count = 0;
  const sets = createSetImports(options, consoleLogger);
  let setPlace: SetPlace = { folder: "", path: "" };
  /** The hooks that Rollup and Vite have in common. */
  const bundledBy = (addressOf: AddressOf) => ({
    resolveId: {
      order: "pre" as const,
      handler(this: ImportContext, id: string, importer: string | undefined) {
        return sets.resolve(this, id, importer);
      },
    },
    async load(this: ImportContext, id: string) {
      const code = await sets.load(this, id, addressOf);
      if (code !== undefined) count += 1;
      return code;
    },
    async generateBundle(_: unknown, bundle: unknown) {
      count += await compressBundle(bundle as Bundle, options, sets.isOfSet); // Rollup's, because of where it is used
    },
  });
  return {
    name,
    // The loader of Next.js reads the file of a module by itself, unless another loader comes first. A set has no file.
    enforce: "pre",
    resolveId(id, importer) {
      const request = readImport(id);
      const path = request && resolveBeside(request.path, importer);
      return request && path !== undefined ? idOf({ ...request, path }) : undefined;
    },
    loadInclude: (id) => readId(id) !== undefined,
    async load(id) {
      const request = readId(id);
      if (!request) return undefined;
      this.addWatchFile(request.path);
      const native = this.getNativeBuildContext?.();
      if (native?.framework !== "webpack") throw new Error("tintype: This bundler cannot import a web set.");
      const loader = native.loaderContext as unknown as Loader; // webpack's, because of the field above
      const { set, files } = await sets.make(request);
      const addresses = set.files.map(({ name }) => {
        const bytes = Buffer.from(files.find((file) => file.name === name)?.bytes ?? []);
        const at = name.lastIndexOf(".");
        const hashed = `${name.slice(0, at)}-${digest(bytes).slice(0, 8)}${name.slice(at)}`;
        loader.emitFile(setPlace.folder + hashed, bytes, undefined, { [setMark]: true, immutable: true });
        return `__webpack_public_path__ + ${JSON.stringify(setPlace.path + encodeURIComponent(hashed))}`;
      });
      return moduleOf(set, addresses);
    },
    rollup: {
      ...bundledBy((reference) => `import.meta.ROLLUP_FILE_URL_${reference}`),
      buildStart() {
        begunAt = Date.now();
        count = 0;
      },
      // Plugins such as @rollup/plugin-url write their own files, outside the bundle.
      writeBundle: {
        order: "post",
        sequential: true,
        async handler({ dir, file }, bundle) {
          const folder = resolve(dir ?? dirname(file ?? "."));
          // It may also contain sources, and output of other builds.
          if (!relative(folder, process.cwd()).startsWith(".."))
            return consoleLogger.warn(
              `${folder} holds the project itself: only pictures of the bundle are compressed.`,
            );
          const isNew = (inside: string) =>
            !Object.hasOwn(bundle, inside.replaceAll("\\", "/")) && statSync(join(folder, inside)).ctimeMs >= begunAt;
          count += await compressFolder(folder, { options, logger: consoleLogger, isWanted: isNew });
          if (count === 0) reportNone(consoleLogger);
        },
      },
    },
    vite: {
      enforce: "post",
      configResolved({ command, publicDir, build, root }) {
        if (command === "serve") sets.develop();
        if (build.copyPublicDir && publicDir) copied = { from: publicDir, to: resolve(root, build.outDir) };
      },
      ...bundledBy(viteAddress),
      // Vite copies the public folder outside the bundle, where no plugin sees it.
      async closeBundle() {
        if (sets.isDevelopment()) return;
        if (!copied) return count === 0 ? reportNone(consoleLogger) : undefined;
        const { from, to } = copied;
        // A build may output into the public folder itself, where the originals are.
        const isWanted = (inside: string) => {
          const original = realPath(join(from, inside));
          return original !== undefined && original !== realPath(join(to, inside));
        };
        count += await compressFolder(to, { options, logger: consoleLogger, isWanted });
        if (count === 0) reportNone(consoleLogger);
      },
    },
    webpack(compiler: Compiler) {
      const { Compilation, sources } = compiler.webpack;
      setPlace = setPlaceOf(compiler);
      compiler.hooks.thisCompilation.tap(name, (compilation) => {
        const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE;
        compilation.hooks.processAssets.tapPromise({ name, stage }, async (assets) => {
          if (compiler.options.mode === "development") return;
          const isOfSet = (path: string) => compilation.getAsset(path)?.info[setMark] === true;
          const pictures = Object.entries(assets)
            .filter(([path]) => !isOfSet(path))
            .filter(([path]) => isMeant(path.replace(/[?].*$/s, ""), options)) // webpack's asset name includes its query
            .map(([path, source]) => ({ name: path, bytes: new Uint8Array(Buffer.from(source.source())) }));
          if (pictures.length === 0 && !Object.keys(assets).some(isOfSet)) reportNone(consoleLogger);
          for (const [path, bytes] of await compressAssets(pictures, options, consoleLogger))
            compilation.updateAsset(path, new sources.RawSource(Buffer.from(bytes)));
        });
      });
    },
  };
});

export default plugin;
