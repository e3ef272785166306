import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/**
 * Pictures stored for a later page, by path. Each method rejects with the browser's error when storage is denied or full.
 */
export type FileStore = {
  put(path: string, file: File): Promise<void>;
  read(path: string): Promise<File | undefined>;
  delete(paths: readonly string[]): Promise<void>;
  /** Sorted by code units. */
  paths(): Promise<string[]>;
};

interface Tables extends DBSchema {
  files: { key: string; value: File };
}

/** In IndexedDB, not in Cache Storage: pages without TLS have no `caches`. */
export function createFileStore(): FileStore {
  let connection: Promise<IDBPDatabase<Tables>> | undefined;
  const open = () => {
    connection ??= openDB<Tables>("tintype-pictures", 1, {
      upgrade(database) {
        database.createObjectStore("files");
      },
    });
    connection.catch(() => {
      connection = undefined;
    });
    return connection;
  };
  return {
    put: async (path, file) => void (await (await open()).put("files", file, path)),
    read: async (path) => (await open()).get("files", path),
    async delete(paths) {
      const transaction = (await open()).transaction("files", "readwrite");
      for (const path of paths) void transaction.store.delete(path);
      await transaction.done;
    },
    paths: async () => (await open()).getAllKeys("files"),
  };
}

const restoredPrefix = "/restored/";

/** Stores files for the studio of the next page. @throws the browser's error when storage is denied or full */
export async function storeForNextPage(store: FileStore, files: readonly File[]): Promise<void> {
  for (const [index, file] of files.entries())
    await store.put(`${restoredPrefix}${Date.now()}-${String(index).padStart(4, "0")}`, file);
}

/** Returns the files that the previous page stored, in order, and deletes them. */
export async function takeFromPreviousPage(store: FileStore): Promise<File[]> {
  const paths = (await store.paths()).filter((path) => path.startsWith(restoredPrefix));
  const files: File[] = [];
  for (const path of paths) {
    const file = await store.read(path);
    if (file) files.push(file);
  }
  await store.delete(paths);
  return files;
}
