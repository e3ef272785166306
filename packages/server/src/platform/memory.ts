import { totalmem } from "node:os";

/**
 * Memory available to this process, in bytes: the container's limit, otherwise the machine's. `os.totalmem()` returns the
 * machine's even inside a container (measured with podman). Without a limit `constrainedMemory()` returns 0, or a number
 * larger than any machine.
 */
export function memoryBytes(constrained: number | undefined = process.constrainedMemory()): number {
  return constrained ? Math.min(constrained, totalmem()) : totalmem();
}
