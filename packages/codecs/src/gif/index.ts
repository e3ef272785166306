export { colourTableBytes, type GifDocument, type GifFrame, isCutOff, readGif } from "./document.ts";
export { playGif } from "./play.ts";
