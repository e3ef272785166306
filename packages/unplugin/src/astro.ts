import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkOptions, compressFolder, type Logger, type Options, reportNone } from "./pictures.ts";
import { createSetImports, type ImportContext, viteAddress } from "./set-imports.ts";

export type { Options } from "./pictures.ts";

/** The parts of an Astro integration that we use; Astro itself is not loaded. */
type Integration = {
  name: string;
  hooks: {
    "astro:config:setup": (context: {
      command: string;
      logger: Logger;
      updateConfig(more: { vite: { plugins: object[] } }): unknown;
    }) => void;
    "astro:build:done": (context: { dir: URL; logger: Logger }) => Promise<void>;
  };
};

/**
 * The Astro integration: modules and pages import pictures as web sets, and every picture of the built site is
 * compressed, including those that Astro generated.
 */
export default function tintype(options: Options = {}): Integration {
  checkOptions(options);
  let sets: ReturnType<typeof createSetImports> | undefined;
  return {
    name: "tintype",
    hooks: {
      "astro:config:setup": ({ command, logger, updateConfig }) => {
        const imports = createSetImports(options, logger);
        sets = imports;
        if (command === "dev") imports.develop();
        // Only the imports: the pictures are compressed in one place, after Astro has made its own.
        const plugin = {
          name: "tintype",
          enforce: "pre",
          resolveId(this: ImportContext, id: string, importer: string | undefined) {
            return imports.resolve(this, id, importer);
          },
          load(this: ImportContext, id: string) {
            return imports.load(this, id, viteAddress);
          },
        };
        updateConfig({ vite: { plugins: [plugin] } });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const folder = fileURLToPath(dir);
        const isWanted = (inside: string) => !(sets?.hasSets() && sets.isOfSet(readFileSync(join(folder, inside))));
        const count = await compressFolder(folder, { options, logger, isWanted });
        if (count === 0 && !sets?.hasSets()) reportNone(logger);
      },
    },
  };
}
