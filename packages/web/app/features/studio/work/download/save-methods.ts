/** The File System Access API, which TypeScript's DOM types lack. */
declare global {
  interface Window {
    showDirectoryPicker?(options: { id?: string; mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;
  }
}

type ResultFile = { name: string; blob: Blob };

const fileOf = ({ name, blob }: ResultFile) => new File([blob], name, { type: blob.type });

/** Which ways to save these results this browser supports. */
export function supportedSaveMethods(files: readonly ResultFile[]): { folder: boolean; share: boolean; copy: boolean } {
  const [first] = files;
  return {
    folder: typeof window.showDirectoryPicker === "function",
    share: first !== undefined && navigator.canShare?.({ files: files.map(fileOf) }) === true,
    copy: files.length === 1 && typeof ClipboardItem === "function" && typeof navigator.clipboard?.write === "function",
  };
}

/** Only Chromium turns a drag with `DownloadURL` into a file, and only Chromium has `userAgentData`. */
export const canDragOut = (): boolean => typeof navigator === "object" && "userAgentData" in navigator;

/** Whether the user dismissed the system's dialog, which is no failure. */
export const isDismissed = (problem: unknown): boolean =>
  problem instanceof DOMException && problem.name === "AbortError";

/** Opens the system's share sheet: other apps and, on phones, the photo library. @throws DOMException */
export const shareFiles = (files: readonly ResultFile[]): Promise<void> =>
  navigator.share({ files: files.map(fileOf) });

/** PNG is the one format that every browser can copy, so other formats are converted to it. @throws DOMException */
export function copyPicture({ blob }: ResultFile): Promise<void> {
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
 * Asks for a folder and writes the files into it. `namesFor` returns names that do not collide with the existing ones, so that
 * no file of the user's is overwritten.
 * @throws DOMException
 */
export async function saveIntoFolder(
  files: readonly ResultFile[],
  namesFor: (existingNames: readonly string[]) => readonly string[],
): Promise<string> {
  const folder = await window.showDirectoryPicker?.({ id: "results", mode: "readwrite" });
  if (!folder) throw new DOMException("no folder can be chosen", "NotSupportedError");
  const existingNames: string[] = [];
  for await (const name of folder.keys()) existingNames.push(name);
  const names = namesFor(existingNames);
  for (const [index, { blob }] of files.entries()) {
    const handle = await folder.getFileHandle(names[index] ?? "", { create: true });
    const writable = await handle.createWritable();
    await writable.write(blob);
    await writable.close();
  }
  return folder.name;
}

/** Makes a drag carry the picture as a file. Returns a function that revokes its object URL after a minute. */
export function dragOut(transfer: DataTransfer, { name, blob }: ResultFile): () => void {
  const url = URL.createObjectURL(blob);
  transfer.setData("DownloadURL", `${blob.type}:${name.replaceAll(":", "-")}:${url}`);
  transfer.effectAllowed = "copy";
  return () => setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
