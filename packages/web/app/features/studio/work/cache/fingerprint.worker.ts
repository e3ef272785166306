import { sha256 } from "./sha-256.ts";

/** Answers each file with the SHA-256 of its content, on the port sent with it; with undefined if it cannot be read. */
self.onmessage = async ({ data, ports: [port] }: MessageEvent<Blob>) => {
  port?.postMessage(await sha256(data).catch(() => undefined));
};
