import type { Effect } from "../state/effect.ts";
import type { PictureId } from "../state/picture.ts";
import { phaseOf } from "../state/run-life.ts";
import { isRunning } from "../state/studio-state.ts";
import { createDownloads, type Downloads } from "./create-downloads.ts";
import { createIntake, type Intake } from "./create-intake.ts";
import { createPreviews } from "./create-previews.ts";
import { createDetection } from "./detect-format.ts";
import { hasLeft, jobsKey, keptKey, unsentKey } from "./earlier-visit.ts";
import { findEarlierBatch } from "./find-earlier-batch.ts";
import { createHeldResults, type HeldResults } from "./held-results.ts";
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

/** What a person brings. */
type Adding = "addFiles" | "addDropped" | "addAddresses";

export type StudioWork = Pick<Intake, "takeSample"> & {
  [Name in Adding]: (...args: Parameters<Intake[Name]>) => Promise<void>;
} & Downloads &
  Looks &
  WebSets &
  HeldResults &
  Pick<KeptWork, "saveRecent" | "thumbOf" | "forgetRecent"> & {
    perform(effect: Effect): void;
    /** `count`: of the pictures that can go, only the first so many; `ids`: only these. */
    submit(count?: number, ids?: ReadonlySet<PictureId>): Promise<void>;
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
   * Adds what a person brings, and where they wish it starts the tool on it at once: also after a batch under way, if that one is done.
   * Options that are not complete start nothing.
   */
  async function addAndStart(add: () => Promise<readonly PictureId[]>) {
    const { tool } = read();
    const ids = await add();
    const isWished = read().tool === tool && readStartAtOnce(read().caller?.id);
    if (ids.length > 0 && isWished) dispatch({ type: "start-wished", ids });
  }

  const isStartDue = () => read().toStart.size > 0 && phaseOf(read()) === "idle";
  let isStarting = false;
  async function startDue() {
    if (isStarting || !isStartDue()) return;
    isStarting = true;
    let judged: ReadonlySet<PictureId>;
    do {
      judged = read().toStart;
      await intake.whenAdded();
    } while (read().toStart !== judged); // more came meanwhile
    isStarting = false;
    if (isStartDue()) dispatch({ type: "start-due", isWished: readStartAtOnce(read().caller?.id) });
  }
  subscribe(() => void startDue());

  const perform = createPerformer(parts, { kept, remembered, releases });
  const { saveRecent, thumbOf, forgetRecent } = kept;
  const { whenAdded, takeSample } = intake;
  return {
    ...{
      takeSample,
      addFiles: (files) => addAndStart(() => intake.addFiles(files)),
      addDropped: (dropped) => addAndStart(() => intake.addDropped(dropped)),
      addAddresses: (addresses) => addAndStart(() => intake.addAddresses(addresses)),
      ...createDownloads(parts),
      ...createLooks(parts),
      ...createWebSets(parts),
      ...createHeldResults(parts, { forget: (jobId) => perform({ do: "forget", jobIds: [jobId] }) }),
      saveRecent,
      thumbOf,
      forgetRecent,
    },
    perform,
    async submit(count, ids) {
      await whenAdded();
      dispatch({ type: "submitted", count, ids });
    },
    async addRestored() {
      await intake.addFiles(await takeArrivals("restored"));
    },
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
