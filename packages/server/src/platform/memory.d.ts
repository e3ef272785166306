/**
 * Memory that this process may use, bytes: of its container, else of the machine.
 * `os.totalmem()` shows the machine also inside a container (measured with podman); `constrainedMemory()` answers 0, or
 * a number beyond any machine, where there is no limit.
 */
export declare function memoryBytes(constrained?: number | undefined): number;
