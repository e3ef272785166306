export { type ShrinkOptions, shrinkGif } from "./shrink.ts";
