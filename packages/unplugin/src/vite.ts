import type { UnpluginInstance } from "unplugin";
import plugin from "./index.ts";
import type { Options } from "./pictures.ts";

export type { Options } from "./pictures.ts";

/** The plugin for vite. */
const vite: UnpluginInstance<Options | undefined>["vite"] = plugin.vite;
export default vite;
