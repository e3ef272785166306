// A thread that decodes one picture and exits: see `decodeInThread`.
import { parentPort, workerData } from "node:worker_threads";
import type { Size } from "@tintype/codecs/raster";
import type { Codestream } from "./jp2/codestream.ts";
import type { PdfRequest } from "./pdf/draw.ts";

/** Each decoder's code is loaded on first use. */
const decoders = {
  jxl: async (bytes: Uint8Array, options: { maxPixels: number }, onSize: (size: Size) => void) =>
    (await import("./jxl/decode.ts")).decodeJxl(bytes, options, onSize),
  jp2: async (bytes: Uint8Array, options: { size: Codestream; wanted: number[] }) =>
    (await import("./jp2/decode.ts")).decodeJp2(bytes, options),
  pdf: async (bytes: Uint8Array, options: PdfRequest, onSize: (size: Size) => void) =>
    (await import("./pdf/draw.ts")).drawPdf(bytes, options, onSize),
};

export type DecoderName = keyof typeof decoders;
export type DecoderRequest<Name extends DecoderName> = {
  decoder: Name;
  bytes: Uint8Array;
  options: Parameters<(typeof decoders)[Name]>[1];
};
export type DecoderResult<Name extends DecoderName> = Awaited<ReturnType<(typeof decoders)[Name]>>;
/** The size once the header is read, then the picture. */
export type DecoderMessage<Name extends DecoderName> = { size: Size } | { picture: DecoderResult<Name> };

const { decoder, bytes, options } = workerData as DecoderRequest<DecoderName>; // sent by `decodeInThread`
const send = (message: DecoderMessage<DecoderName>) => parentPort?.postMessage(message);
// `DecoderRequest` pairs each decoder with its own options.
const decode = decoders[decoder] as (
  bytes: Uint8Array,
  options: unknown,
  onSize: (size: Size) => void,
) => Promise<DecoderResult<DecoderName>>;
send({ picture: await decode(bytes, options, (size) => send({ size })) });
