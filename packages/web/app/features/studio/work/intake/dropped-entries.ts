/** The dropped files and folders. Read them during the event: afterwards the DataTransfer is empty. */
export type Dropped = { files: readonly File[]; folders: readonly FileSystemDirectoryEntry[] };

export function droppedEntries(data: DataTransfer): Dropped {
  const files: File[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry?.();
    if (entry?.isDirectory)
      folders.push(entry as FileSystemDirectoryEntry); // isDirectory says so
    else files.push(...[item.getAsFile()].filter((file) => file !== null));
  }
  return { files, folders };
}
