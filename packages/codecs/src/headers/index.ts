export { type PictureFormat, sniffBytes, sniffFormat } from "./sniff.ts";
export { splitProlog } from "./svg-prolog.ts";
