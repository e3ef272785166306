/** Every file below a folder, except hidden (`.DS_Store`) and unreadable ones. */
export async function filesInFolder(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const files: File[] = [];
  for (const entry of await entriesOf(folder)) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory)
      files.push(...(await filesInFolder(entry as FileSystemDirectoryEntry))); // isDirectory says so
    else files.push(...(await fileOf(entry as FileSystemFileEntry)));
  }
  return files;
}

/** A reader returns its entries in batches (Chromium: 100) and an empty batch at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (portion.length === 0) return entries.sort((one, other) => one.name.localeCompare(other.name));
    entries.push(...portion);
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File[]> =>
  new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );
