import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** svgo, on its first use: it takes 240 ms to load, as long as a picture of 1 MP takes to compress. */
export const loadSvgo = (): typeof import("svgo") => require("svgo");
