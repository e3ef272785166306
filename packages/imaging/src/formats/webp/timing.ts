import type { Timing } from "../encoder.ts";
import { webpChunks } from "./container.ts";

/** The durations of ANMF have 24 bits, the loop count of ANIM 16 (RFC 9649, 2.7.1.1). */
const max = { durationMs: 2 ** 24 - 1, plays: 2 ** 16 - 1 };
/** The offsets of the loop count in ANIM and of the duration in ANMF, after the chunk's header. */
const [chunkHeadBytes, playsAt, durationAt] = [8, 4, 12];

/** The animation with these delays, if it has as many frames, and this loop count. */
export function withTiming(webp: Uint8Array, { delays, plays }: Timing): Uint8Array {
  const copy = Buffer.from(webp);
  const chunks = [...webpChunks(copy)];
  const frames = chunks.filter(({ type }) => type === "ANMF");
  for (const { type, whole } of chunks)
    if (type === "ANIM") writable(whole).writeUInt16LE(Math.min(plays, max.plays), chunkHeadBytes + playsAt);
  if (frames.length === delays.length)
    for (const [i, { whole }] of frames.entries())
      writable(whole).writeUIntLE(Math.min(Math.round(delays[i] ?? 0), max.durationMs), chunkHeadBytes + durationAt, 3);
  return copy;
}

const writable = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
