/** Every piece begins at a multiple of this, and may be overrun by as much: kernels work on 16 bytes at a time. */
const marginBytes = 64;

/** Lays out a kernel's memory, one piece after the other, from address 0 on. */
export function createMemoryLayout() {
  let end = 0;
  return {
    /** The address of a new piece. */
    take(bytes: number): number {
      const start = end;
      end += Math.ceil(bytes / marginBytes) * marginBytes + marginBytes;
      return start;
    },
    /** The size of all pieces together, pages of 64 KiB. */
    pages: () => Math.ceil(end / 65_536),
  };
}
