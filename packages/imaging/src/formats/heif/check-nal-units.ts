import { DomainError } from "@tintype/contract";

/**
 * Checks the structure of an HEVC picture (ISO/IEC 14496-15, 8.3.3: NAL units behind their lengths), since libde265 conceals
 * damage and reports none. Within a unit two zero bytes are followed by 3 or more (ITU-T H.265, 7.4.2): a run of zeros, which a failed
 * transfer leaves, cannot be there.
 * @param lengthBytes of each unit's length
 * @throws broken-image
 */
export function checkNalUnits(bytes: Uint8Array, lengthBytes: number): void {
  for (let at = 0; at < bytes.length; ) {
    let length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + i] ?? 0);
    const start = at + lengthBytes;
    if (length === 0 || start + length > bytes.length) refuse("a NAL unit reaches past its item");
    if (hasForbiddenZeros(bytes.subarray(start, start + length))) refuse("zeros within a NAL unit");
    at = start + length;
  }
}

function hasForbiddenZeros(unit: Uint8Array): boolean {
  for (let at = unit.indexOf(0); at >= 0 && at + 2 < unit.length; at = unit.indexOf(0, at + 1))
    if (unit[at + 1] === 0 && (unit[at + 2] ?? 0) < 3) return true;
  return false;
}

function refuse(cause: string): never {
  throw new DomainError("broken-image", { cause: `HEVC: ${cause}` });
}
