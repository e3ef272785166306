// A thread that decodes one picture and ends: see `decodeInThread`.
import { parentPort, workerData } from "node:worker_threads";

/** Each decoder loads its code when it runs. */
const decoders = {
  jxl: async (bytes: Uint8Array, options: { maxPixels: number }) =>
    (await import("./jxl/decode.ts")).decodeJxl(bytes, options),
};

export type DecoderName = keyof typeof decoders;
export type DecoderRequest<Name extends DecoderName> = {
  decoder: Name;
  bytes: Uint8Array;
  options: Parameters<(typeof decoders)[Name]>[1];
};
export type DecoderResult<Name extends DecoderName> = Awaited<ReturnType<(typeof decoders)[Name]>>;

const { decoder, bytes, options } = workerData as DecoderRequest<DecoderName>; // as `decodeInThread` sends it
parentPort?.postMessage(await decoders[decoder](bytes, options));
