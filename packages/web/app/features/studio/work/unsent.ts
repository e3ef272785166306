import { randomId } from "../../../lib/random-id.ts";
import type { Store } from "../../../lib/store.ts";
import type { PictureId } from "../state/picture.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import { isRunning, type StudioState } from "../state/studio-state.ts";
import { unsentKey } from "./earlier-visit.ts";
import { fileOfEntry, putFile } from "./intake/shared-pictures.ts";
import { keptHours, keptLimitBytes } from "./kept/kept-limits.ts";

/** Unsent pictures of all tabs, by `/unsent/{tab}/{time}-{number}`. No `tintype-` prefix: the service worker deletes such caches. */
const cacheName = "unsent-pictures";
const pathOf = (tab: string, rest = "") => `/unsent/${tab}/${rest}`;

/** Debounces writes while the user adds and removes pictures. */
const restMs = 300;

type Entry = { path: string; file: File };

/**
 * Stores the originals of unsent pictures for a reload of this tab, within the size limit of kept results. A running batch is found by
 * its job id instead. Call the returned function after each change of the state.
 */
export function keepUnsent({ read }: Pick<Store<StudioState, StudioEvent>, "read">): () => void {
  const tab = randomId();
  const kept = new Map<PictureId, Entry>();
  let seen: Pick<StudioState, "pictures" | "run"> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = Promise.resolve();
  let number = 0;

  async function write() {
    const wanted = unsentOf(read());
    const ids = new Set(wanted.map(({ id }) => id));
    if (wanted.some(({ id }) => !kept.has(id)) || kept.size > ids.size) {
      const [cache, estimate] = await Promise.all([caches.open(cacheName), navigator.storage?.estimate?.()]);
      for (const [id, { path }] of kept)
        if (!ids.has(id)) {
          kept.delete(id);
          await cache.delete(path);
        }
      let bytes = [...kept.values()].reduce((sum, { file }) => sum + file.size, 0);
      for (const { id, file } of wanted) {
        if (!file || kept.has(id) || bytes + file.size > keptLimitBytes(estimate?.quota)) continue;
        number += 1;
        const path = pathOf(tab, `${Date.now()}-${number}`);
        await putFile(cache, path, file);
        kept.set(id, { path, file });
        bytes += file.size;
      }
    }
    // A batch may have started during the write.
    if (kept.size > 0 && unsentOf(read()).length > 0) sessionStorage.setItem(unsentKey, tab);
    else forgetUnsent();
  }

  return () => {
    const { pictures, run } = read();
    if (seen?.pictures === pictures && seen.run === run) return;
    seen = { pictures, run };
    // Not debounced: a reload right after a submit must not restore what was sent.
    if (unsentOf(read()).length === 0) forgetUnsent();
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Storage is denied or full: a reload loses the pictures.
      writing = writing.then(write).catch(() => undefined);
    }, restMs);
  };
}

/** Makes the next reload restore nothing. */
export function forgetUnsent(): void {
  try {
    sessionStorage.removeItem(unsentKey);
  } catch {
    // storage access is denied, so nothing was stored
  }
}

const unsentOf = (state: StudioState) =>
  isRunning(state)
    ? []
    : state.pictures.filter(({ file, outcome }) => file && outcome.kind !== "done" && outcome.kind !== "held");

/** Takes out what this tab stored before its reload, in order. A page that was not reloaded gets nothing. */
export async function takeUnsent(): Promise<File[]> {
  const own = pathOf(sessionStorage.getItem(unsentKey) ?? "");
  forgetUnsent();
  const cache = await caches.open(cacheName);
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    const isOld = Date.now() - Number.parseInt(pathname.split("/").at(-1) ?? "", 10) > keptHours * 3_600_000;
    const isOwn = pathname.startsWith(own);
    const file = isOwn && !isOld ? await fileOfEntry(cache, request) : undefined;
    if (file) files.push(file);
    if (isOwn || isOld) await cache.delete(request);
  }
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]; // of this type
  return navigation?.type === "reload" ? files : [];
}
