import type { Effect } from "../state/effect.ts";
import type { PictureId } from "../state/picture.ts";
import { phaseOf } from "../state/run-machine.ts";
import { isRunning } from "../state/studio-state.ts";
import { createResultCache, type ResultCache } from "./cache/create-result-cache.ts";
import { createDownloads, type Downloads } from "./create-downloads.ts";
import { createIntake, type Intake } from "./create-intake.ts";
import { createPreviews } from "./create-previews.ts";
import { createDetection } from "./detect-format.ts";
import { cachedResultsKey, hasStored, jobsKey, unsentKey } from "./earlier-visit.ts";
import { findEarlierBatch } from "./find-earlier-batch.ts";
import { createHeldResults, type HeldResults } from "./held-results.ts";
import { createFileStore, storeForNextPage, takeFromPreviousPage } from "./intake/file-store.ts";
import { createPerformer } from "./perform.ts";
import { createPreviewClient, type PreviewClient } from "./preview-client.ts";
import { createRememberedJobs } from "./remembered-jobs.ts";
import { rememberGuestUsage, reportCredits } from "./report-credits.ts";
import { createSaveAs, type SaveAs } from "./save-as.ts";
import { readStartAtOnce } from "./start-at-once.ts";
import type { StudioParts } from "./studio-parts.ts";
import { anchorOf } from "./tools.ts";
import { clearUnsent, storeUnsent, takeUnsent } from "./unsent.ts";
import { createWebSets, type WebSets } from "./web-sets.ts";

// Loaded together, since the work begins with what it needs of the machine.
export { updateStudio } from "../state/update-studio.ts";

/** The ways in which a user adds pictures. */
type AddMethod = "addFiles" | "addDropped" | "addAddresses";

export type StudioWork = Pick<Intake, "takeSample"> & {
  [Name in AddMethod]: (...args: Parameters<Intake[Name]>) => Promise<void>;
} & Downloads &
  PreviewClient &
  WebSets &
  SaveAs &
  HeldResults &
  Pick<ResultCache, "saveRecent" | "thumbOf" | "clearRecent"> & {
    perform(effect: Effect): void;
    /** `count` limits the batch to the first so many sendable pictures, `ids` to these pictures. */
    submit(count?: number, ids?: ReadonlySet<PictureId>): Promise<void>;
    /** Adds the pictures that the previous page handed over. */
    addRestored(): Promise<void>;
    /** Fetches limits and usage again after a change of caller or plan, if they were fetched before. */
    refreshAllowance(): void;
    /**
     * Reloads the page and restores the pictures.
     * @throws the browser's error when it cannot store them
     */
    reload(): Promise<void>;
  };

/** All side effects of the studio. Create it in a browser, once per page. */
export function createStudioWork(parts: StudioParts): StudioWork {
  const { store, api, host } = parts;
  const { read, dispatch, subscribe } = store;
  const cache = createResultCache(parts);
  const intake = createIntake(parts);
  const files = createFileStore();
  const remembered = createRememberedJobs(window.localStorage);
  /** By job id: releases the lock, so that another tab can claim the job. */
  const releases = new Map<string, () => void>();

  /** The client checks limits only to save useless uploads. The server enforces them in any case. */
  async function fetchAllowance() {
    hasRequestedAllowance = true;
    const { credits: creditsBefore } = read();
    const config = await api.call("GET /config", {}).catch(() => undefined);
    if (!config) return;
    const { tier, limits } = config;
    const { used, limit } = config.usage;
    const usage = limit === null ? undefined : { used, limit };
    dispatch({ type: "allowance-known", allowance: { tier, limits, usage }, creditsBefore });
    if (usage && !read().credits) host.creditsUsed(usage);
  }
  let hasRequestedAllowance = false;

  /** Resumes a batch that was started before the page was left. */
  async function findEarlier() {
    const earlier = await findEarlierBatch({ api, remembered, findBatch: cache.findBatch });
    if (!earlier) return;
    const { release, ...found } = earlier;
    const keys = await cache.keysOf(found.pictures, found.orders);
    if (isRunning(read()) || read().isPreparing) return release();
    for (const { job } of found.jobs) releases.set(job.id, release);
    dispatch({ type: "batch-found", found: { ...found, keys } });
  }

  /** Restores unsent pictures after a reload, beside those of a batch that was found. */
  const findUnsent = async () => void (await intake.addFiles(await takeUnsent(files)));

  subscribe(createPreviews(parts).drawPending);
  subscribe(createDetection(parts));
  subscribe(reportCredits({ ...parts, fetchUsage: fetchAllowance }));
  subscribe(rememberGuestUsage(store));
  subscribe(() => {
    if (!hasRequestedAllowance && read().pictures.length > 0) void fetchAllowance();
  });
  if (hasStored(cachedResultsKey)) void cache.refreshRecent();
  const lookingForBatch = hasStored(jobsKey) ? findEarlier().catch(reportError) : Promise.resolve();
  const lookingForUnsent = hasStored(unsentKey)
    ? lookingForBatch.then(findUnsent).catch(reportError)
    : Promise.resolve();
  void lookingForUnsent.then(() => {
    if (read().restoring > 0) dispatch({ type: "restoring", count: 0 });
    const keep = storeUnsent(store, files);
    subscribe(keep);
    keep();
  });

  /**
   * Adds pictures and, if the user has chosen so, starts the tool on them at once. While a batch is running they start after it, if it
   * succeeds. Incomplete options start nothing.
   */
  async function addAndStart(add: () => Promise<readonly PictureId[]>) {
    const { tool } = read();
    const ids = await add();
    const isRequested = read().tool === tool && readStartAtOnce(read().caller?.id);
    if (ids.length > 0 && isRequested) dispatch({ type: "start-requested", ids });
  }

  const isStartDue = () => read().toStart.size > 0 && phaseOf(read()) === "idle";
  let isStarting = false;
  async function startDue() {
    if (isStarting || !isStartDue()) return;
    isStarting = true;
    let waiting: ReadonlySet<PictureId>;
    do {
      waiting = read().toStart;
      await intake.whenAdded();
    } while (read().toStart !== waiting); // more pictures were added meanwhile
    isStarting = false;
    if (isStartDue()) dispatch({ type: "start-due", isRequested: readStartAtOnce(read().caller?.id) });
  }
  subscribe(() => void startDue());

  const perform = createPerformer(parts, { cache, remembered, releases });
  const { saveRecent, thumbOf, clearRecent } = cache;
  const { whenAdded, takeSample } = intake;
  return {
    takeSample,
    addFiles: (files) => addAndStart(() => intake.addFiles(files)),
    addDropped: (dropped) => addAndStart(() => intake.addDropped(dropped)),
    addAddresses: (addresses) => addAndStart(() => intake.addAddresses(addresses)),
    ...createDownloads(parts),
    ...createPreviewClient(parts),
    ...createWebSets(parts),
    ...createSaveAs(parts),
    ...createHeldResults(parts, { forget: (jobId) => perform({ do: "forget", jobIds: [jobId] }) }),
    saveRecent,
    thumbOf,
    clearRecent,
    perform,
    async submit(count, ids) {
      await whenAdded();
      dispatch({ type: "submitted", count, ids });
    },
    async addRestored() {
      await intake.addFiles(await takeFromPreviousPage(files));
    },
    refreshAllowance() {
      if (hasRequestedAllowance) void fetchAllowance();
    },
    async reload() {
      const { pictures, tool } = read();
      // The reloaded page finds a running batch by its job id.
      if (isRunning(read())) return window.location.reload();
      clearUnsent();
      await storeForNextPage(
        files,
        pictures.flatMap(({ file }) => file ?? []),
      );
      window.location.assign(`/?restored#${anchorOf(tool)}`);
    },
  };
}
