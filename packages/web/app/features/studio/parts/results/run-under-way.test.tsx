// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import type { Api } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../../../lib/api/context.tsx";
import { createToasts } from "../../../../ui/toast.ts";
import { ToastContext } from "../../../../ui/toast-area.tsx";
import { ordersOf } from "../../state/order.ts";
import { picture } from "../../testing/pictures.ts";
import type { Studio } from "../../work/studio.ts";
import { StudioProvider, useStudio } from "../../work/studio-context.tsx";
import { RunUnderWay } from "./run-under-way.tsx";

afterEach(cleanup);

const host = {
  outOfCredits: async () => undefined,
  findShortage: async () => undefined,
  creditsUsed: () => undefined,
  signUp: () => undefined,
};

/** A running batch whose server never answers. */
function showBatch() {
  const never = () => new Promise<never>(() => undefined);
  const api: Api = { call: never, locate: never, open: never };
  let known: Studio | undefined;
  function Known() {
    known = useStudio();
    return <RunUnderWay />;
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
  if (!known) throw new Error("it was rendered");
  const studio = known;
  const dispatch: Studio["dispatch"] = (event) => act(() => studio.dispatch(event));
  const pictures = [picture("a.png"), picture("b.png")];
  dispatch({ type: "setting-changed", tool: "compress", patch: { quality: "60" } });
  dispatch({ type: "pictures-added", pictures, refusals: [] });
  dispatch({ type: "submitted" });
  const { batch } = studio.read();
  const orders = ordersOf(studio.read(), pictures);
  dispatch({ type: "prepared", batch, recalled: [], orders, keys: new Map(), shortage: undefined });
  dispatch({ type: "part-accepted", batch, jobId: "job-1" });
  return { dispatch, batch };
}

test("the button that tries a lost server again stays while it is tried, with the focus, until the server is heard", () => {
  const { dispatch, batch } = showBatch();
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
