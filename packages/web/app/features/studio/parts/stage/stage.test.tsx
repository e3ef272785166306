// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ordersOf } from "../../state/order.ts";
import { picture, result } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { Stage } from "./stage.tsx";

afterEach(cleanup);
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

/** A finished cut-out with two candidates. Its edits are never answered. */
async function showCutOut(settings: Record<string, string> = {}) {
  const { dispatch, read } = await renderPart(<Stage isSeen />);
  const shown = { kind: "shown", url: "blob:large", thumbUrl: "blob:small" } as const;
  const head = picture("head.png", { preview: shown });
  const cutOut = { ...result("head_bgremoved.png"), preview: shown, job: { id: "job-1", index: 0 } };
  act(() => {
    dispatch({ type: "tool-chosen", tool: "remove-background" });
    dispatch({ type: "setting-changed", tool: "remove-background", patch: settings });
    dispatch({ type: "pictures-added", pictures: [head], refusals: [] });
    dispatch({ type: "submitted" });
    const reused = [{ id: head.id, result: cutOut, notes: [], confidence: 0.97, candidates: [0.97, 0.85] }];
    const prepared = { batch: read().batch, orders: ordersOf(read(), [head]), keys: new Map(), shortage: undefined };
    dispatch({ type: "prepared", reused, ...prepared });
  });
}

test("a cut-out is not opened for an edit while another candidate is being applied", async () => {
  await showCutOut();
  const other = await screen.findByRole("radio", { name: "Cut-out 2 of 2" });
  const edit = screen.getByRole<HTMLButtonElement>("button", { name: "Edit the cut-out" });
  expect(edit.disabled).toBe(false);
  await userEvent.click(other);
  await waitFor(() => expect(edit.disabled).toBe(true));
  expect(screen.getByText("Applying")).toBeTruthy();
});

test("a mask alone has neither candidates nor backgrounds to choose", async () => {
  await showCutOut();
  await screen.findByRole("radio", { name: "Cut-out 2 of 2" }); // the lazy parts have loaded
  cleanup();
  await showCutOut({ mask_only: "true" });
  await screen.findByRole("button", { name: "Edit the cut-out" });
  expect(screen.queryByRole("radio", { name: /Cut-out/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "White" })).toBeNull();
});
