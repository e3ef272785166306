/** The content of `tintype.config.json`, for tools that write it. */
export type { Config } from "@tintype/toolkit";
