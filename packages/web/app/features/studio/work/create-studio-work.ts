import type { Effect } from "../state/effect.ts";
import { findObstacle } from "../state/find-obstacle.ts";
import { isRunning } from "../state/studio-state.ts";
import { createDownloads, type Downloads } from "./create-downloads.ts";
import { createIntake, type Intake } from "./create-intake.ts";
import { createPreviews } from "./create-previews.ts";
import { createDetection } from "./detect-format.ts";
import { hasLeft, jobsKey, keptKey, unsentKey } from "./earlier-visit.ts";
import { findEarlierBatch } from "./find-earlier-batch.ts";
import { handOver, takeArrivals } from "./intake/shared-pictures.ts";
import { createKeptWork, type KeptWork } from "./kept/create-kept-work.ts";
import { createLooks, type Looks } from "./look.ts";
import { createPerformer } from "./perform.ts";
import { createRememberedJobs } from "./remembered-jobs.ts";
import { readStartAtOnce } from "./start-at-once.ts";
import type { StudioParts } from "./studio-parts.ts";
import { rememberGuestUse, tellCredits } from "./tell-credits.ts";
import { tools } from "./tools.ts";
import { forgetUnsent, keepUnsent, takeUnsent } from "./unsent.ts";
import { createWebSets, type WebSets } from "./web-sets.ts";

export type StudioWork = Omit<Intake, "whenAdded"> &
  Downloads &
  Looks &
  WebSets &
  Pick<KeptWork, "saveRecent" | "thumbOf" | "forgetRecent"> & {
    perform(effect: Effect): void;
    /** `count`: of the pictures that can go, only the first so many. */
    submit(count?: number): Promise<void>;
    /** Pictures that the page before has left for this one. */
    addRestored(): Promise<void>;
    /** Another person or plan: asks for limits and usage again, if the studio had asked before. */
    refreshAllowance(): void;
    /**
     * Loads the page again, and the pictures with it.
     * @throws what the browser says when it cannot keep them meanwhile
     */
    reload(): Promise<void>;
  };

/** Everything the studio does beyond showing its state. Made in a browser, once a page. */
export function createStudioWork(parts: StudioParts): StudioWork {
  const { store, api, host } = parts;
  const { read, dispatch, subscribe } = store;
  const kept = createKeptWork(parts);
  const intake = createIntake(parts);
  const remembered = createRememberedJobs(window.localStorage);
  /** By job: lets another tab take it up. */
  const releases = new Map<string, () => void>();

  /** Limits are a courtesy here: they save useless uploads. The server enforces them whether the page knows them or not. */
  async function askForAllowance() {
    hasAsked = true;
    const { credits: creditsBefore } = read();
    const config = await api.call("GET /config", {}).catch(() => undefined);
    if (!config) return;
    const { tier, limits, usage } = config;
    dispatch({ type: "allowance-known", allowance: { tier, limits, usage }, creditsBefore });
    if (!read().credits) host.creditsUsed(usage);
  }
  let hasAsked = false;

  /** Takes up a batch that was begun before the page was left. */
  async function findEarlier() {
    const earlier = await findEarlierBatch({ api, remembered, findBatch: kept.findBatch });
    if (!earlier) return;
    const { release, ...found } = earlier;
    const keys = await kept.keysOf(found.pictures, found.orders);
    if (isRunning(read()) || read().isPreparing) return release();
    for (const { job } of found.jobs) releases.set(job.id, release);
    dispatch({ type: "batch-found", found: { ...found, keys } });
  }

  /** After a reload the pictures that were not sent are there again, unless a batch was found. */
  async function findUnsent() {
    const files = await takeUnsent();
    if (!isRunning(read())) await intake.addFiles(files);
  }

  subscribe(createPreviews(parts).drawPending);
  subscribe(createDetection(parts));
  subscribe(tellCredits({ ...parts, ask: askForAllowance }));
  subscribe(rememberGuestUse(store));
  subscribe(() => {
    if (!hasAsked && read().pictures.length > 0) void askForAllowance();
  });
  if (hasLeft(keptKey)) void kept.refreshRecent();
  const lookingForBatch = hasLeft(jobsKey) ? findEarlier().catch(reportError) : Promise.resolve();
  const lookingForUnsent = hasLeft(unsentKey) ? lookingForBatch.then(findUnsent).catch(reportError) : Promise.resolve();
  void lookingForUnsent.then(() => {
    const keep = keepUnsent(store);
    subscribe(keep);
    keep();
  });

  /**
   * Adds what a person brings, and where they wish it starts the tool on it at once: also after a batch under way, unless that one is
   * cancelled. Options that are not complete start nothing.
   */
  async function addAndStart(add: () => Promise<void>) {
    const before = new Set(read().pictures.map(({ id }) => id));
    await add();
    if (!readStartAtOnce(read().caller?.id)) return;
    const ids = new Set(read().pictures.flatMap(({ id }) => (before.has(id) ? [] : [id])));
    if (ids.size === 0) return;
    await intake.whenAdded();
    await whenIdle();
    const state = read();
    const wasCancelled =
      state.run?.phase === "ended" && state.run.ending === "cancelled" && waitedFor === state.run.batch;
    if (!wasCancelled && !findObstacle(state)) dispatch({ type: "submitted", ids });
  }
  /** The latest batch that new pictures waited for. */
  let waitedFor: number | undefined;

  function whenIdle(): Promise<void> {
    const isIdle = () => !isRunning(read()) && !read().isPreparing;
    if (isIdle()) return Promise.resolve();
    waitedFor = read().batch;
    return new Promise((resolve) => {
      const end = subscribe(() => {
        if (!isIdle()) return;
        end();
        resolve();
      });
    });
  }

  const { saveRecent, thumbOf, forgetRecent } = kept;
  const { whenAdded, ...adding } = intake;
  return {
    ...{
      ...adding,
      addFiles: (files) => addAndStart(() => intake.addFiles(files)),
      addDropped: (dropped) => addAndStart(() => intake.addDropped(dropped)),
      addAddresses: (addresses) => addAndStart(() => intake.addAddresses(addresses)),
      ...createDownloads(parts),
      ...createLooks(parts),
      ...createWebSets(parts),
      saveRecent,
      thumbOf,
      forgetRecent,
    },
    perform: createPerformer(parts, { kept, remembered, releases }),
    async submit(count) {
      await whenAdded();
      dispatch({ type: "submitted", count });
    },
    addRestored: async () => intake.addFiles(await takeArrivals("restored")),
    refreshAllowance() {
      if (hasAsked) void askForAllowance();
    },
    async reload() {
      const { pictures, tool } = read();
      // The next page finds a batch under way by its job.
      if (isRunning(read())) return window.location.reload();
      forgetUnsent();
      await handOver(pictures.flatMap(({ file }) => file ?? []));
      window.location.assign(`/?restored#${tools.find(({ value }) => value === tool)?.anchor ?? ""}`);
    },
  };
}
