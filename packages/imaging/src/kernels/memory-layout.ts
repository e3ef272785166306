/** The alignment of each piece, and how far it may be overrun: kernels access 16 bytes at a time. */
const marginBytes = 64;

/** Lays out a kernel's memory: pieces follow each other from address 0 on. */
export function createMemoryLayout() {
  let end = 0;
  return {
    /** Reserves a piece and returns its address. */
    take(bytes: number): number {
      const start = end;
      end += Math.ceil(bytes / marginBytes) * marginBytes + marginBytes;
      return start;
    },
    /** The size of all pieces, in pages of 64 KiB. */
    pages: () => Math.ceil(end / 65_536),
  };
}
