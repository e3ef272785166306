/** Zeroed memory of at least this many bytes, for kernels that share data. */
export const kernelMemory = (bytes: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });

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
    /** Allocates memory for all pieces. */
    allocate: () => kernelMemory(end),
  };
}
