import plugin from "./index.ts";

export type { Options } from "./pictures.ts";

/** The plugin for vite. */
export default plugin.vite;
