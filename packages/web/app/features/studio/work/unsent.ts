import { randomId } from "../../../lib/random-id.ts";
import type { Store } from "../../../lib/store.ts";
import type { PictureId } from "../state/picture.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import type { StudioState } from "../state/studio-state.ts";
import { cacheLimitBytes, maxCacheHours } from "./cache/cache-limits.ts";
import { unsentKey } from "./earlier-visit.ts";
import type { FileStore } from "./intake/file-store.ts";

/** Unsent pictures of all tabs are stored by `/unsent/{tab}/{time}-{number}`. */
const prefix = "/unsent/";

/** Debounces writes while the user adds and removes pictures. */
const debounceMs = 300;

type Entry = { path: string; file: File };

/**
 * Stores the originals of unsent pictures for a reload of this tab, within the size limit of kept results. Those of accepted jobs are
 * stored with their batch instead. Call the returned function after each change of the state.
 */
export function storeUnsent({ read }: Pick<Store<StudioState, StudioEvent>, "read">, files: FileStore): () => void {
  const tab = randomId();
  const stored = new Map<PictureId, Entry>();
  let seen: Pick<StudioState, "pictures" | "run"> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = Promise.resolve();
  let number = 0;

  async function write() {
    const unsent = unsentOf(read());
    const ids = new Set(unsent.map(({ id }) => id));
    if (unsent.some(({ id }) => !stored.has(id)) || stored.size > ids.size) {
      const estimate = await navigator.storage?.estimate?.();
      const removed = [...stored].filter(([id]) => !ids.has(id));
      for (const [id] of removed) stored.delete(id);
      await files.delete(removed.map(([, { path }]) => path));
      let bytes = [...stored.values()].reduce((sum, { file }) => sum + file.size, 0);
      for (const { id, file } of unsent) {
        if (!file || stored.has(id) || bytes + file.size > cacheLimitBytes(estimate?.quota)) continue;
        number += 1;
        const path = `${prefix}${tab}/${Date.now()}-${number}`;
        await files.put(path, file);
        stored.set(id, { path, file });
        bytes += file.size;
      }
    }
    writeUnsentPaths();
  }

  /** Tells the next page which of the stored pictures are unsent. Those that were sent since the last write are stored still. */
  function writeUnsentPaths() {
    const paths = unsentOf(read()).flatMap(({ id }) => stored.get(id)?.path ?? []);
    if (paths.length === 0) return clearUnsent();
    const value = paths.join("\n");
    try {
      // An upload's progress changes the state many times a second, and seldom the paths.
      if (sessionStorage.getItem(unsentKey) !== value) sessionStorage.setItem(unsentKey, value);
    } catch {
      // storage access is denied: a reload loses the pictures
    }
  }

  return () => {
    const { pictures, run } = read();
    if (seen?.pictures === pictures && seen.run === run) return;
    seen = { pictures, run };
    // Not debounced: a reload right after the server accepted the pictures must not restore them a second time.
    writeUnsentPaths();
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Storage is denied or full: a reload loses the pictures.
      writing = writing.then(write).catch(() => undefined);
    }, debounceMs);
  };
}

/** Makes the next reload restore nothing. */
export function clearUnsent(): void {
  try {
    sessionStorage.removeItem(unsentKey);
  } catch {
    // storage access is denied, so nothing was stored
  }
}

function unsentOf({ pictures, run }: Pick<StudioState, "pictures" | "run">) {
  const accepted = new Set(run && run.phase !== "ended" ? run.jobs.flatMap(({ ids }) => ids) : []);
  return pictures.filter(
    ({ id, file, outcome }) => file && !accepted.has(id) && outcome.kind !== "done" && outcome.kind !== "held",
  );
}

/** Takes out what this tab stored before its reload, in order. A page that was not reloaded gets nothing. */
export async function takeUnsent(files: FileStore): Promise<File[]> {
  const paths = sessionStorage.getItem(unsentKey)?.split("\n") ?? [];
  clearUnsent();
  const unsent: File[] = [];
  for (const path of paths) {
    const file = isOld(path) ? undefined : await files.read(path);
    if (file) unsent.push(file);
  }
  const old = (await files.paths()).filter((path) => path.startsWith(prefix) && isOld(path));
  await files.delete([...paths, ...old]);
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]; // of this type
  return navigation?.type === "reload" ? unsent : [];
}

const isOld = (path: string): boolean =>
  Date.now() - Number.parseInt(path.split("/").at(-1) ?? "", 10) > maxCacheHours * 3_600_000;
