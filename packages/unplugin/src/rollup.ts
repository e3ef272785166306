import plugin from "./index.ts";

export type { Options } from "./pictures.ts";

/** The plugin for rollup. */
export default plugin.rollup;
