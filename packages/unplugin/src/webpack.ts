import plugin from "./index.ts";

export type { Options } from "./pictures.ts";

/** The plugin for webpack. */
export default plugin.webpack;
