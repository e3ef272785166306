/** Processes that a process's first thread started and that still run; none where there is no /proc. */
export declare function childrenOf(pid: number): number[];
/** The process and all below it, the process itself first. */
export declare const treeOf: (pid: number) => number[];
/** Resident memory of all of them, MB (millions of bytes); undefined where there is no /proc. */
export declare function residentMb(pids: readonly number[]): number | undefined;
