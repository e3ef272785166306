export { decodeBmp, embeddedFile } from "./decode.ts";
export { encodeBmpSamples } from "./encode.ts";
export { bmpHeaderBytes, readBmpHeader } from "./header.ts";
