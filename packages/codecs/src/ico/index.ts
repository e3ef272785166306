export { decodeIconBitmap, encodeIconBitmap, trimIconBitmap } from "./bitmap.ts";
export { brokenIcon, iconRow, largestEntry, readIconEntries, writeIcon } from "./directory.ts";
