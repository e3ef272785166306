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

/** The URLs in a text that consists of nothing else; otherwise none. */
export function addressesIn(text: string): readonly string[] {
  const parts = text.split(/\s+/).filter(Boolean);
  return parts.every((part) => /^https?:\/\/./i.test(part) && URL.canParse(part)) ? parts : [];
}

/** The last path segment. The query is left out, since it may hold a signature. */
export function nameInAddress(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split("/").at(-1) || hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
