/** CRC-32 as ZIP and PNG use it (reflected, polynomial 0xEDB88320), of bytes that come in pieces. */
export function createCrc32(): { add(bytes: Uint8Array): void; value(): number } {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit += 1)
      remainder = remainder & 1 ? (remainder >>> 1) ^ 0xed_b8_83_20 : remainder >>> 1;
    return remainder;
  });
  let crc = 0xff_ff_ff_ff;
  return {
    add(bytes) {
      for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
    },
    value: () => (crc ^ 0xff_ff_ff_ff) >>> 0,
  };
}
