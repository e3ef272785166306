import { uniqueNames } from "@tintype/contract";
import { randomId } from "../../../../lib/random-id.ts";
import { saveBlob } from "../../../../lib/save-blob.ts";
import { type Orders, orderOf } from "../../state/order.ts";
import { newResult, type Picture, type PictureId, type Remarks, type Result } from "../../state/picture.ts";
import type { ReusedResult } from "../../state/studio-event.ts";
import { isRunning } from "../../state/studio-state.ts";
import { zipName } from "../download/name-pattern.ts";
import { cachedResultsKey, hasStored } from "../earlier-visit.ts";
import { drawPreview } from "../intake/draw-preview.ts";
import { isAnimatedPicture } from "../intake/read-header.ts";
import { preparedResults } from "../samples/prepared.ts";
import type { StudioParts } from "../studio-parts.ts";
import { type CachedResult, type CacheStore, createCacheStore } from "./cache-store.ts";
import { createFingerprints, filesIn, workKey } from "./work-key.ts";

export type ResultCache = Pick<CacheStore, "putBatch" | "findBatch" | "deleteBatch"> & {
  /** The work key of each picture whose original is on this page. */
  keysOf(pictures: readonly Picture[], orders: Orders): Promise<ReadonlyMap<PictureId, string>>;
  /** Results that exist already: on this page, stored in this browser, or prepared for our samples. */
  findResults(pictures: readonly Picture[], keys: ReadonlyMap<PictureId, string>): Promise<readonly ReusedResult[]>;
  /** Reloads the list of stored results and deletes expired ones. */
  refreshRecent(): Promise<void>;
  /** Downloads one result under its own name, several as a ZIP. */
  saveRecent(keys: readonly string[]): Promise<void>;
  thumbOf(key: string): Promise<Blob | undefined>;
  /** Deletes everything stored in this browser. The pictures on the page stay. */
  clearRecent(): Promise<void>;
};

const refreshDelayMs = 300;
const knownDelayMs = 50;

export function createResultCache(
  { store }: Pick<StudioParts, "store">,
  cacheStore: CacheStore = createCacheStore(),
): ResultCache {
  const fingerprints = createFingerprints();
  let results: readonly CachedResult[] = [];
  /** Makes batch ids unique across visits. */
  const visit = randomId();

  const currentOwner = () => store.read().caller?.id ?? "guest";
  const isOwned = ({ owner }: CachedResult) => owner === "guest" || owner === currentOwner();
  const knownFingerprint = (file: File) => fingerprints.known(file) ?? "";

  async function refreshRecent() {
    results = await cacheStore.list();
    store.dispatch({ type: "recent-known", recent: results.filter(isOwned) });
    updateKnown();
  }

  /** Debounces the reload: storing two hundred results reads the list a few times, not two hundred. */
  let isDue = false;
  function refreshSoon() {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      void refreshRecent();
    }, refreshDelayMs);
  }

  async function keysOf(pictures: readonly Picture[], orders: Orders) {
    const available = pictures.flatMap(({ id, file }) => {
      const order = orders.get(id);
      return file && order ? [{ id, file, order }] : [];
    });
    await Promise.all(available.flatMap(({ file, order }) => [file, ...filesIn(order)]).map(fingerprints.of));
    return new Map(available.map(({ id, file, order }) => [id, workKey(order, file, knownFingerprint)] as const));
  }

  /** The result with this key on this page: the same picture may have been added twice. */
  function onPage(key: string) {
    for (const { outcome } of store.read().pictures)
      if (outcome.kind === "done" && outcome.result.key === key) return outcome;
    return undefined;
  }

  async function findResult(key: string, { id, name }: Picture): Promise<ReusedResult | undefined> {
    const here = onPage(key);
    if (here) {
      const { kind: _, ...done } = here;
      return { id, ...done };
    }
    const prepared = preparedResults.get(key);
    const found = results.find((result) => result.key === key && isOwned(result));
    const facts = found ?? prepared;
    if (!facts) return undefined;
    const blob = found ? (await cacheStore.read(key))?.blob : await prepared?.read().catch(() => undefined);
    if (!blob) return undefined;
    const { format, sides, notes, confidence, isIncomplete } = facts;
    const result = newResult({
      blob,
      name: renamed(facts, name),
      format,
      isAnimated: await isAnimatedPicture(blob, format),
      sides,
      key,
      isSaved: found?.isSaved ?? false,
      isCached: found !== undefined,
    });
    return { id, result, notes, confidence, isIncomplete };
  }

  const isKnown = (key: string) =>
    onPage(key) !== undefined || preparedResults.has(key) || results.some((one) => one.key === key && isOwned(one));

  const requested = new WeakSet<File>();
  /** Updates the set of pictures whose results are free, and requests missing fingerprints. */
  function updateKnown() {
    const state = store.read();
    const { pictures, knownIds } = state;
    const ids = new Set<PictureId>();
    for (const picture of pictures) {
      const { id, file } = picture;
      if (!file) continue;
      const order = orderOf(state, picture);
      const missing = [file, ...filesIn(order)].filter((one) => !fingerprints.known(one));
      for (const one of missing) {
        if (requested.has(one)) continue;
        requested.add(one);
        void fingerprints.of(one).then(updateKnownSoon);
      }
      if (missing.length > 0) continue;
      if (isKnown(workKey(order, file, knownFingerprint))) ids.add(id);
    }
    if (ids.size === knownIds.size && [...ids].every((id) => knownIds.has(id))) return;
    store.dispatch({ type: "prices-found", found: { knownIds: ids } });
  }
  let isKnownUpToDate = true;
  /** Debounced: adding two hundred pictures changes the state hundreds of times. */
  function updateKnownSoon() {
    // No price is shown while a batch runs: the set is updated when it ends.
    if (!isKnownUpToDate || isRunning(store.read())) return;
    isKnownUpToDate = false;
    setTimeout(() => {
      isKnownUpToDate = true;
      updateKnown();
    }, knownDelayMs);
  }

  /** Stores each result as it arrives, and its thumbnail as soon as that is rendered. */
  const started = new WeakSet<Blob>();
  const withThumb = new WeakSet<Blob>();
  function cacheResults() {
    for (const picture of store.read().pictures) {
      const { outcome } = picture;
      if (outcome.kind !== "done" || outcome.result.key === undefined) continue;
      const { blob, key, preview, isCached } = outcome.result;
      if (!started.has(blob) && !isCached && !preparedResults.has(key)) {
        started.add(blob);
        void cacheResult(picture, key, outcome);
      }
      if (preview.kind === "shown" && preview.thumb && started.has(blob) && !withThumb.has(blob)) {
        withThumb.add(blob);
        void cacheStore.addThumb(key, preview.thumb);
      }
    }
  }

  async function cacheResult(
    { id, name: sourceName, sizeBytes: sourceBytes }: Picture,
    key: string,
    { result, notes, confidence, isIncomplete }: Remarks & { result: Result },
  ) {
    const { name, format, sides, sizeBytes, isSaved, blob } = result;
    const tool = store.read().run?.tool ?? store.read().tool;
    const isCached = await cacheStore.put(
      {
        key,
        batch: `${visit}.${store.read().batch}`,
        owner: currentOwner(),
        tool,
        name,
        format,
        sides,
        sizeBytes,
        sourceName,
        sourceBytes,
        keptAtMs: Date.now(),
        isSaved,
        notes,
        confidence,
        isIncomplete,
      },
      blob,
    );
    if (!isCached) return;
    store.dispatch({ type: "results-cached", ids: [id] });
    refreshSoon();
  }

  let saved: ReadonlySet<string> = new Set();
  function markSaved() {
    const now = store
      .read()
      .pictures.flatMap(({ outcome }) =>
        outcome.kind === "done" && outcome.result.isSaved && outcome.result.key ? [outcome.result.key] : [],
      );
    const fresh = now.filter((key) => !saved.has(key));
    if (fresh.length === 0) return;
    saved = new Set([...saved, ...now]);
    void cacheStore.markSaved(fresh);
  }

  let owner = currentOwner();
  let wasRunning = isRunning(store.read());
  store.subscribe(() => {
    cacheResults();
    markSaved();
    const isNowRunning = isRunning(store.read());
    const isOver = wasRunning && !isNowRunning;
    wasRunning = isNowRunning;
    // Not debounced: Submit must not show a price for work that is already paid for, even briefly.
    if (isOver) updateKnown();
    else updateKnownSoon();
    if (owner === currentOwner()) return;
    owner = currentOwner();
    if (results.length > 0 || hasStored(cachedResultsKey)) void refreshRecent();
  });
  cacheStore.onChange(() => void refreshRecent());

  return {
    keysOf,
    refreshRecent,
    putBatch: cacheStore.putBatch,
    findBatch: cacheStore.findBatch,
    deleteBatch: cacheStore.deleteBatch,
    async findResults(pictures, keys) {
      const reused: ReusedResult[] = [];
      for (const picture of pictures) {
        const key = keys.get(picture.id);
        const found = key === undefined ? undefined : await findResult(key, picture);
        if (found) reused.push(found);
      }
      return reused;
    },
    async saveRecent(keys) {
      const found = results.filter(({ key }) => keys.includes(key));
      const read = await Promise.all(
        found.map(async (one) => ({ ...one, blob: (await cacheStore.read(one.key))?.blob })),
      );
      const kept = read.flatMap(({ blob, ...one }) => (blob ? [{ ...one, blob }] : []));
      const [first] = kept;
      if (!first) return refreshRecent();
      if (kept.length === 1) saveBlob(first.blob, first.name);
      else {
        const names = uniqueNames(kept.map(({ name }) => name));
        const files = kept.map(({ blob }, index) => ({ blob, name: names[index] ?? "" }));
        const { zipOf } = await import("../download/zip-of.ts");
        const now = new Date();
        saveBlob(await zipOf(files, now), zipName({ tool: first.tool, count: kept.length, now }));
      }
      await cacheStore.markSaved(kept.map(({ key }) => key));
      await refreshRecent();
    },
    async thumbOf(key) {
      const bytes = await cacheStore.read(key);
      if (!bytes || bytes.thumb) return bytes?.thumb;
      const drawn = await drawPreview(bytes.blob);
      if (!drawn) return undefined;
      const { url, thumbUrl, thumb } = drawn.preview;
      URL.revokeObjectURL(url);
      URL.revokeObjectURL(thumbUrl);
      if (thumb) await cacheStore.addThumb(key, thumb);
      return thumb;
    },
    async clearRecent() {
      await cacheStore.clear();
      await refreshRecent();
    },
  };
}

/** A result's name for a file with the same content and another name: after `harbour.jpg` to `harbour.webp`, `sea.jpg` gives `sea.webp`. */
function renamed({ name, sourceName }: { name: string; sourceName: string }, newName: string): string {
  if (sourceName === newName) return name;
  const [stem, newStem] = [sourceName, newName].map((one) => one.replace(/[.][^.]*$/, ""));
  return stem && name.startsWith(stem) ? newStem + name.slice(stem.length) : name;
}
