// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Api } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../../../lib/api/context.tsx";
import { createToasts } from "../../../../ui/toast.ts";
import { ToastContext } from "../../../../ui/toast-area.tsx";
import { ordersOf } from "../../state/order.ts";
import { picture, result } from "../../testing/pictures.ts";
import type { Studio } from "../../work/studio.ts";
import { StudioProvider, useStudio } from "../../work/studio-context.tsx";
import { Stage } from "./stage.tsx";
import "../../../../ui/testing/patience.ts";

afterEach(cleanup);
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

const host = {
  outOfCredits: async () => undefined,
  findShortage: async () => undefined,
  creditsUsed: () => undefined,
  signUp: () => undefined,
};

/** A finished cut-out with two candidates. Its edits are never answered. */
function showCutOut(settings: Record<string, string> = {}) {
  const never = () => new Promise<never>(() => undefined);
  const api: Api = { call: never, locate: never, open: never };
  let studio: Studio | undefined;
  function Known() {
    studio = useStudio();
    return <Stage isSeen />;
  }
  render(
    <ApiProvider api={api}>
      <ToastContext value={createToasts()}>
        <StudioProvider host={host}>
          <Known />
        </StudioProvider>
      </ToastContext>
    </ApiProvider>,
  );
  const shown = { kind: "shown", url: "blob:large", thumbUrl: "blob:small" } as const;
  const head = picture("head.png", { preview: shown });
  const cutOut = { ...result("head_bgremoved.png"), preview: shown, job: { id: "job-1", index: 0 } };
  act(() => {
    if (!studio) throw new Error("it was rendered");
    const { dispatch, read } = studio;
    dispatch({ type: "tool-chosen", tool: "remove-background" });
    dispatch({ type: "setting-changed", tool: "remove-background", patch: settings });
    dispatch({ type: "pictures-added", pictures: [head], refusals: [] });
    dispatch({ type: "submitted" });
    const recalled = [{ id: head.id, result: cutOut, notes: [], confidence: 0.97, candidates: [0.97, 0.85] }];
    const prepared = { batch: read().batch, orders: ordersOf(read(), [head]), keys: new Map(), shortage: undefined };
    dispatch({ type: "prepared", recalled, ...prepared });
  });
}

test("a cut-out is not opened for an edit while another candidate is being applied", async () => {
  showCutOut();
  const other = await screen.findByRole("radio", { name: "Cut-out 2 of 2" });
  const edit = screen.getByRole<HTMLButtonElement>("button", { name: "Edit the cut-out" });
  expect(edit.disabled).toBe(false);
  await userEvent.click(other);
  await waitFor(() => expect(edit.disabled).toBe(true));
  expect(screen.getByText("Applying")).toBeTruthy();
});

test("a mask alone has neither candidates nor backgrounds to choose", async () => {
  showCutOut();
  await screen.findByRole("radio", { name: "Cut-out 2 of 2" }); // the lazy parts have loaded
  cleanup();
  showCutOut({ mask_only: "true" });
  await screen.findByRole("button", { name: "Edit the cut-out" });
  expect(screen.queryByRole("radio", { name: /Cut-out/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "White" })).toBeNull();
});
