import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { createUnplugin, type UnpluginInstance } from "unplugin";
import { checkOptions, compressAssets, compressFolder, isMeant, type Options, type Say } from "./pictures.ts";

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

async function compressBundle(bundle: Bundle, options: Options): Promise<void> {
  const assets = Object.entries(bundle).flatMap(([path, { source }]) =>
    source instanceof Uint8Array && isMeant(path, options) ? [{ name: path, bytes: source }] : [],
  );
  for (const [path, bytes] of await compressAssets(assets, options, sayOnConsole)) {
    const asset = bundle[path];
    if (asset) asset.source = bytes;
  }
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
  return {
    name,
    rollup: { generateBundle: (_: unknown, bundle: unknown) => compressBundle(bundle as Bundle, options) }, // Rollup's, by the fields above
    vite: {
      apply: "build",
      enforce: "post",
      configResolved({ publicDir, build, root }) {
        if (build.copyPublicDir && publicDir) copied = { from: publicDir, to: resolve(root, build.outDir) };
      },
      generateBundle: (_: unknown, bundle: unknown) => compressBundle(bundle as Bundle, options), // as above
      // Vite copies the public folder beside the bundle, without any plugin's hands.
      async closeBundle() {
        if (!copied) return;
        const { from, to } = copied;
        // A build may put its files into the public folder itself: there lie originals.
        const isWanted = (inside: string) => {
          const original = realPath(join(from, inside));
          return original !== undefined && original !== realPath(join(to, inside));
        };
        await compressFolder(to, { options, say: sayOnConsole, isWanted });
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
          for (const [path, bytes] of await compressAssets(pictures, options, sayOnConsole))
            compilation.updateAsset(path, new sources.RawSource(Buffer.from(bytes)));
        });
      });
    },
  };
});

export default plugin;
