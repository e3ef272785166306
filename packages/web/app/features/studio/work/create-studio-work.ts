import { handOver } from "../arrivals/hand-over.ts";
import { createKeptWork, type KeptWork } from "../kept/create-kept-work.ts";
import type { Sample } from "../samples/samples.ts";
import { reduceStudio } from "../state/reduce-studio.ts";
import { isRunning } from "../state/studio-state.ts";
import type { StudioParts } from "../studio-parts.ts";
import { tools } from "../tools.ts";
import { createDownloads, type Downloads } from "./create-downloads.ts";
import { createIntake, type Intake } from "./create-intake.ts";
import { createPreviews } from "./create-previews.ts";
import { createRuns, type Runs } from "./create-runs.ts";
import { createDetection } from "./detect-format.ts";
import { rememberGuestUse } from "./guest-use.ts";
import { takeSample } from "./take-sample.ts";
import { tellCredits } from "./tell-credits.ts";

type Samples = { takeSample(sample: Sample): Promise<void> };
type Recent = Pick<KeptWork, "refreshRecent" | "saveRecent" | "thumbOf" | "forgetRecent">;
type Page = {
  refreshAllowance(): Promise<void>;
  /**
   * Loads the page again, and the pictures with it.
   * @throws what the browser says when it cannot keep them meanwhile
   */
  reload(): Promise<void>;
};
export type StudioWork = Intake & Downloads & Runs & Recent & Samples & Page;

/** Everything the studio does beyond showing its state. */
export function createStudioWork(parts: StudioParts): StudioWork {
  const { store, api, host } = parts;
  store.reduceBy(reduceStudio);
  store.subscribe(createPreviews(parts).drawPending);
  store.subscribe(createDetection(parts));
  const kept = createKeptWork(parts);

  /** Limits are a courtesy here: they save useless uploads. The server enforces them whether the page knows them or not. */
  async function refreshAllowance() {
    const config = await api.call("GET /config", {}).catch(() => undefined);
    if (!config) return;
    const { tier, limits, usage } = config;
    store.dispatch({ type: "allowance-known", allowance: { tier, limits, usage } });
    host.creditsUsed(usage);
  }

  store.subscribe(tellCredits({ ...parts, ask: refreshAllowance }));
  store.subscribe(rememberGuestUse(store));
  void refreshAllowance();
  void kept.refreshRecent();
  const intake = createIntake(parts);
  const runs = createRuns(parts, kept);
  const { refreshRecent, saveRecent, thumbOf, forgetRecent } = kept;
  return {
    ...{ ...intake, ...createDownloads(parts), ...runs },
    ...{ refreshRecent, saveRecent, thumbOf, forgetRecent, refreshAllowance },
    async reload() {
      const { pictures, tool } = store.read();
      // The next page finds a batch under way by its job.
      if (isRunning(store.read())) return window.location.reload();
      await handOver(pictures.flatMap(({ file }) => file ?? []));
      window.location.assign(`/?shared#${tools.find(({ value }) => value === tool)?.anchor ?? ""}`);
    },
    takeSample: (sample) => takeSample(sample, { store, addFiles: intake.addFiles }),
    async submit(count) {
      await intake.whenAdded();
      await runs.submit(count);
    },
  };
}
