// Pictures that other programs hand to the installed app, or the page before to this one.

import { sharedName } from "./shared-cache.ts";

/** Files that wait in the cache: of another app, or of the page before. They are taken out. */
export async function takeShared(): Promise<File[]> {
  const cache = await caches.open(sharedName);
  const requests = await cache.keys();
  const files = await Promise.all(
    requests.map(async (request) => {
      const kept = await cache.match(request);
      if (!kept) return [];
      const name = decodeURIComponent(kept.headers.get("x-name") ?? "picture");
      return [new File([await kept.blob()], name, { type: kept.headers.get("content-type") ?? "" })];
    }),
  );
  await caches.delete(sharedName);
  return files.flat();
}

/** File handling, which TypeScript's own types lack. */
type LaunchParams = { files?: readonly FileSystemFileHandle[] };
declare global {
  interface Window {
    launchQueue?: { setConsumer(take: (params: LaunchParams) => void): void };
  }
}

/** Hears of files that the system opens with the app. */
export function hearOpenedFiles(take: (files: File[]) => void): void {
  window.launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length > 0) void Promise.all(files.map((handle) => handle.getFile())).then(take, () => undefined); // gone meanwhile
  });
}
