import { fileURLToPath } from "node:url";
import { checkOptions, compressFolder, type Options, reportNone } from "./pictures.ts";

export type { Options } from "./pictures.ts";

/** The parts of an Astro integration that we use; Astro itself is not loaded. */
type Integration = {
  name: string;
  hooks: {
    "astro:build:done": (context: {
      dir: URL;
      logger: { info(line: string): void; warn(line: string): void };
    }) => Promise<void>;
  };
};

/** The Astro integration: it compresses every picture of the built site, including those that Astro generated. */
export default function tintype(options: Options = {}): Integration {
  checkOptions(options);
  return {
    name: "tintype",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        if ((await compressFolder(fileURLToPath(dir), { options, logger })) === 0) reportNone(logger);
      },
    },
  };
}
