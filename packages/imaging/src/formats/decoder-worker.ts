// A thread that decodes one picture and ends: see `decodeInThread`.
import { parentPort, workerData } from "node:worker_threads";

/** Each decoder loads its code when it runs. */
const decoders = {
  jxl: async (bytes: Uint8Array, options: { maxPixels: number }, onSize: (size: DecodedSize) => void) =>
    (await import("./jxl/decode.ts")).decodeJxl(bytes, options, onSize),
};

/** px */
export type DecodedSize = { width: number; height: number };
export type DecoderName = keyof typeof decoders;
export type DecoderRequest<Name extends DecoderName> = {
  decoder: Name;
  bytes: Uint8Array;
  options: Parameters<(typeof decoders)[Name]>[1];
};
export type DecoderResult<Name extends DecoderName> = Awaited<ReturnType<(typeof decoders)[Name]>>;
/** The size as soon as the header is read, then the picture. */
export type DecoderMessage<Name extends DecoderName> = { size: DecodedSize } | { picture: DecoderResult<Name> };

const { decoder, bytes, options } = workerData as DecoderRequest<DecoderName>; // as `decodeInThread` sends it
const send = (message: DecoderMessage<DecoderName>) => parentPort?.postMessage(message);
send({ picture: await decoders[decoder](bytes, options, (size) => send({ size })) });
