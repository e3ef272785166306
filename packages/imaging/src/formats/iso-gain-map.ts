/** The parameters of one channel of a gain map. Stops are binary logarithms. */
type Channel = { minStops: number; maxStops: number; gamma: number; baseOffset: number; alternateOffset: number };

/** The parameters of a gain map by ISO 21496-1. Headrooms are in stops above SDR white. */
type GainMapNumbers = { baseHeadroom: number; alternateHeadroom: number; channels: readonly Channel[] };

const [isMultichannel, usesBaseColours, headBytes, denominator] = [0x80, 0x40, 5, 1e6];

/** ISO 21496-1, annex C.2.2, with denominators of a million. @throws RangeError if a number exceeds 32 bits */
export function isoOfNumbers({ baseHeadroom, alternateHeadroom, channels }: GainMapNumbers): Uint8Array {
  const numbers = [
    baseHeadroom,
    alternateHeadroom,
    ...channels.flatMap(({ minStops, maxStops, gamma, baseOffset, alternateOffset }) => [
      minStops,
      maxStops,
      gamma,
      baseOffset,
      alternateOffset,
    ]),
  ];
  const iso = Buffer.alloc(headBytes + 8 * numbers.length);
  iso.writeUInt8(usesBaseColours | (channels.length > 1 ? isMultichannel : 0), 4);
  for (const [i, number] of numbers.entries()) {
    iso.writeInt32BE(Math.round(number * denominator), headBytes + 8 * i);
    iso.writeUInt32BE(denominator, headBytes + 8 * i + 4);
  }
  return Uint8Array.from(iso);
}
