/** File System Access, which TypeScript's own types lack. */
declare global {
  interface Window {
    showDirectoryPicker?(options: { id?: string; mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;
  }
}

type OutFile = { name: string; blob: Blob };

const fileOf = ({ name, blob }: OutFile) => new File([blob], name, { type: blob.type });

/** The ways out that this browser has, for these results. */
export function waysOut(files: readonly OutFile[]): { folder: boolean; share: boolean; copy: boolean } {
  const [first] = files;
  return {
    folder: typeof window.showDirectoryPicker === "function",
    share: first !== undefined && navigator.canShare?.({ files: files.map(fileOf) }) === true,
    copy: files.length === 1 && typeof ClipboardItem === "function" && typeof navigator.clipboard?.write === "function",
  };
}

/** `DownloadURL`, by which a drag becomes a file, is Chromium's own, as `userAgentData` is. */
export const canDragOut = (): boolean => typeof navigator === "object" && "userAgentData" in navigator;

/** The person closed the system's window: nothing went wrong. */
export const isDismissed = (problem: unknown): boolean =>
  problem instanceof DOMException && problem.name === "AbortError";

/** The system's sheet: other apps, and on phones the photos. @throws DOMException */
export const shareFiles = (files: readonly OutFile[]): Promise<void> => navigator.share({ files: files.map(fileOf) });

/** Browsers paste PNG everywhere: any other format is drawn as one. @throws DOMException */
export function copyPicture({ blob }: OutFile): Promise<void> {
  const png = blob.type === "image/png" ? Promise.resolve(blob) : drawAsPng(blob);
  return navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
}

async function drawAsPng(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}

/**
 * Asks for a folder, then writes the files into it. `namesBeside` gives their names beside those that are there: no file of the
 * person's is overwritten.
 * @throws DOMException
 */
export async function saveIntoFolder(
  files: readonly OutFile[],
  namesBeside: (taken: readonly string[]) => readonly string[],
): Promise<string> {
  const folder = await window.showDirectoryPicker?.({ id: "results", mode: "readwrite" });
  if (!folder) throw new DOMException("no folder can be chosen", "NotSupportedError");
  const taken: string[] = [];
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) taken.push(name); // TypeScript's types lack it
  const names = namesBeside(taken);
  for (const [index, { blob }] of files.entries()) {
    const handle = await folder.getFileHandle(names[index] ?? "", { create: true });
    const writable = await handle.createWritable();
    await writable.write(blob);
    await writable.close();
  }
  return folder.name;
}

/** Makes a drag carry the picture as a file. Answers what ends its address. */
export function dragOut(transfer: DataTransfer, { name, blob }: OutFile): () => void {
  const url = URL.createObjectURL(blob);
  transfer.setData("DownloadURL", `${blob.type}:${name.replaceAll(":", "-")}:${url}`);
  transfer.effectAllowed = "copy";
  return () => setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
