import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createUnplugin, type UnpluginInstance } from "unplugin";
import { checkOptions, compressAssets, compressFolder, isMeant, type Options, type Say, sayNone } from "./pictures.ts";

export type { Options } from "./pictures.ts";

const name = "tintype";
const sayOnConsole: Say = {
  info: (line) => console.info(`[${name}] ${line}`),
  warn: (line) => console.warn(`[${name}] ${line}`),
};

/** The parts of a bundle of Vite or Rollup that are read here. */
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
};
type Compiler = {
  options: { mode?: string };
  webpack: {
    Compilation: { PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE: number };
    sources: { RawSource: new (bytes: Buffer) => unknown };
  };
  hooks: { thisCompilation: { tap(name: string, work: (compilation: Compilation) => void): void } };
};

/** @returns how many pictures there were */
async function compressBundle(bundle: Bundle, options: Options): Promise<number> {
  const assets = Object.entries(bundle).flatMap(([path, { source }]) =>
    source instanceof Uint8Array && isMeant(path, options) ? [{ name: path, bytes: source }] : [],
  );
  for (const [path, bytes] of await compressAssets(assets, options, sayOnConsole)) {
    const asset = bundle[path];
    if (asset) asset.source = bytes;
  }
  return assets.length;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // not there
  }
}

/** The plugin for each bundler: it compresses the pictures that a build puts out. */
const plugin: UnpluginInstance<Options | undefined> = createUnplugin<Options | undefined>((options = {}) => {
  checkOptions(options);
  let copied: { from: string; to: string } | undefined;
  let begunAt = 0;
  let count = 0;
  return {
    name,
    rollup: {
      buildStart() {
        begunAt = Date.now();
      },
      async generateBundle(_: unknown, bundle: unknown) {
        count = await compressBundle(bundle as Bundle, options); // Rollup's, by the fields above
      },
      // Plugins such as @rollup/plugin-url write their files by themselves, beside the bundle.
      writeBundle: {
        order: "post",
        sequential: true,
        async handler({ dir, file }, bundle) {
          const folder = resolve(dir ?? dirname(file ?? "."));
          // Sources may lie there too, and what other builds have written.
          if (!relative(folder, process.cwd()).startsWith(".."))
            return sayOnConsole.warn(`${folder} holds the project itself: only pictures of the bundle are compressed.`);
          const isNew = (inside: string) =>
            !Object.hasOwn(bundle, inside.replaceAll("\\", "/")) && statSync(join(folder, inside)).ctimeMs >= begunAt;
          count += await compressFolder(folder, { options, say: sayOnConsole, isWanted: isNew });
          if (count === 0) sayNone(sayOnConsole);
        },
      },
    },
    vite: {
      apply: "build",
      enforce: "post",
      configResolved({ publicDir, build, root }) {
        if (build.copyPublicDir && publicDir) copied = { from: publicDir, to: resolve(root, build.outDir) };
      },
      async generateBundle(_: unknown, bundle: unknown) {
        count += await compressBundle(bundle as Bundle, options); // as above
      },
      // Vite copies the public folder beside the bundle, without any plugin's hands.
      async closeBundle() {
        if (!copied) return count === 0 ? sayNone(sayOnConsole) : undefined;
        const { from, to } = copied;
        // A build may put its files into the public folder itself: there lie originals.
        const isWanted = (inside: string) => {
          const original = realPath(join(from, inside));
          return original !== undefined && original !== realPath(join(to, inside));
        };
        count += await compressFolder(to, { options, say: sayOnConsole, isWanted });
        if (count === 0) sayNone(sayOnConsole);
      },
    },
    webpack(compiler: Compiler) {
      const { Compilation, sources } = compiler.webpack;
      compiler.hooks.thisCompilation.tap(name, (compilation) => {
        const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE;
        compilation.hooks.processAssets.tapPromise({ name, stage }, async (assets) => {
          if (compiler.options.mode === "development") return;
          const pictures = Object.entries(assets)
            .filter(([path]) => isMeant(path.replace(/[?].*$/s, ""), options)) // webpack's name of an asset has its query
            .map(([path, source]) => ({ name: path, bytes: new Uint8Array(Buffer.from(source.source())) }));
          if (pictures.length === 0) sayNone(sayOnConsole);
          for (const [path, bytes] of await compressAssets(pictures, options, sayOnConsole))
            compilation.updateAsset(path, new sources.RawSource(Buffer.from(bytes)));
        });
      });
    },
  };
});

export default plugin;
