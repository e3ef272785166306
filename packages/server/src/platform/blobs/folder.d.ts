import type { Blobs } from "./blobs.ts";
/**
 * Pictures in a folder that nothing else uses: on this machine's disk, or on a network file system that several machines
 * mount. Engines read and write there directly. A result has a temporary name until it is committed.
 */
export declare function openFolderBlobs(folder: string): Promise<Blobs>;
