// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ordersOf } from "../../state/order.ts";
import { picture } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import type { Studio } from "../../work/studio.ts";
import { RunUnderWay } from "./run-under-way.tsx";

afterEach(cleanup);

/** A running batch whose server never answers. */
async function showBatch() {
  const studio = await renderPart(<RunUnderWay />);
  const dispatch: Studio["dispatch"] = (event) => act(() => studio.dispatch(event));
  const pictures = [picture("a.png"), picture("b.png")];
  dispatch({ type: "setting-changed", tool: "compress", patch: { quality: "60" } });
  dispatch({ type: "pictures-added", pictures, refusals: [] });
  dispatch({ type: "submitted" });
  const { batch } = studio.read();
  const orders = ordersOf(studio.read(), pictures);
  dispatch({ type: "prepared", batch, reused: [], orders, keys: new Map(), shortage: undefined });
  dispatch({ type: "part-accepted", batch, jobId: "job-1", idempotencyKey: "key-1" });
  return { dispatch, batch };
}

test("the button that tries a lost server again stays while it is tried, with the focus, until the server is heard", async () => {
  const { dispatch, batch } = await showBatch();
  const again = () => screen.queryByRole("button", { name: "Try again" });
  // Most often it reconnects automatically.
  dispatch({ type: "link-changed", batch, link: "reconnecting", isNews: true });
  expect(again()).toBeNull();
  dispatch({ type: "connection-lost", batch });
  const button = again();
  act(() => button?.focus());
  act(() => button?.click());
  expect(screen.getByText("The connection was lost. Reconnecting...")).toBeDefined();
  expect(again()).toBe(button);
  expect(document.activeElement).toBe(button);
  expect(button?.getAttribute("aria-disabled")).toBe("true");
  dispatch({ type: "connection-lost", batch });
  expect(button?.getAttribute("aria-disabled")).toBe("false");
  dispatch({ type: "reconnected" });
  dispatch({ type: "link-changed", batch, link: "live", isNews: false });
  expect(again()).toBeNull();
});

test("the title of the tab counts the finished pictures of a batch, and is the page's own again afterwards", async () => {
  document.title = "Tintype";
  const { dispatch, batch } = await showBatch();
  expect(document.title).toBe("0 of 2 · Tintype");
  dispatch({ type: "connection-lost", batch });
  expect(document.title).toBe("0 of 2 · Tintype");
  cleanup();
  expect(document.title).toBe("Tintype");
});
