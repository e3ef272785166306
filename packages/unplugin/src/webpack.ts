import type { UnpluginInstance } from "unplugin";
import plugin from "./index.ts";
import type { Options } from "./pictures.ts";

export type { Options } from "./pictures.ts";

/** The plugin for webpack. */
const webpack: UnpluginInstance<Options | undefined>["webpack"] = plugin.webpack;
export default webpack;
