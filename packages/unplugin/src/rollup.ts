import type { UnpluginInstance } from "unplugin";
import plugin from "./index.ts";
import type { Options } from "./pictures.ts";

export type { Options } from "./pictures.ts";

/** The plugin for rollup. */
const rollup: UnpluginInstance<Options | undefined>["rollup"] = plugin.rollup;
export default rollup;
