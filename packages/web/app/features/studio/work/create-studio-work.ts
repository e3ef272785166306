import { reduceStudio } from "../state/reduce-studio.ts";
import type { StudioParts } from "../studio-parts.ts";
import { createDownloads, type Downloads } from "./create-downloads.ts";
import { createIntake, type Intake } from "./create-intake.ts";
import { createPreviews } from "./create-previews.ts";
import { createRuns, type Runs } from "./create-runs.ts";
import { detectFormat } from "./detect-format.ts";
import { tellCredits } from "./tell-credits.ts";

export type StudioWork = Intake & Downloads & Runs & { refreshAllowance(): Promise<void> };

/** Everything the studio does beyond showing its state. */
export function createStudioWork(parts: StudioParts): StudioWork {
  const { store, api, host } = parts;
  store.reduceBy(reduceStudio);
  const previews = createPreviews(parts);
  store.subscribe(previews.drawPending);

  /** Limits are a courtesy here, so that nobody uploads in vain; the server enforces them whether we know them or not. */
  async function refreshAllowance() {
    const config = await api.call("GET /config", {}).catch(() => undefined);
    if (!config) return;
    const { tier, limits, usage } = config;
    store.dispatch({ type: "allowance-known", allowance: { tier, limits, usage } });
    host.creditsUsed(usage);
  }

  let detectedId: string | undefined;
  /** Once a first picture: when it is dropped, or when another becomes the first. */
  function detectFirst() {
    const [first] = store.read().pictures;
    if (first?.id === detectedId) return;
    detectedId = first?.id;
    void detectFormat(parts);
  }
  store.subscribe(detectFirst);

  store.subscribe(tellCredits({ ...parts, ask: refreshAllowance }));
  void refreshAllowance();
  const intake = createIntake(parts);
  const runs = createRuns(parts);
  return {
    ...intake,
    ...createDownloads(parts),
    ...runs,
    async submit() {
      await intake.whenAdded();
      await runs.submit();
    },
    refreshAllowance,
  };
}
