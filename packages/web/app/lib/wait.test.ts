// @vitest-environment jsdom

import { afterEach, expect, test, vi } from "vitest";
import { waitForNetwork } from "./wait.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A browser that reports offline, and a server that is reachable or not. */
function offline({ isServerReachable }: { isServerReachable: boolean }) {
  const seen = { onLine: false };
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => seen.onLine);
  const probe = vi.fn(() =>
    isServerReachable ? Promise.resolve(new Response()) : Promise.reject(new TypeError("down")),
  );
  vi.stubGlobal("fetch", probe);
  return {
    probe,
    comeOnline() {
      seen.onLine = true;
      window.dispatchEvent(new Event("online"));
    },
  };
}

test("a browser that sees no network does not wait where the server answers", async () => {
  const { probe } = offline({ isServerReachable: true });
  await waitForNetwork(0, new AbortController().signal);
  expect(probe).toHaveBeenCalledTimes(1);
});

test("without the server it waits until the browser is online", async () => {
  const { probe, comeOnline } = offline({ isServerReachable: false });
  let isOver = false;
  const waiting = waitForNetwork(0, new AbortController().signal).then(() => {
    isOver = true;
  });
  await vi.waitFor(() => expect(probe).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isOver).toBe(false);
  comeOnline();
  await waiting;
});

test("a wait that is given up rejects with its reason", async () => {
  const { probe } = offline({ isServerReachable: false });
  const controller = new AbortController();
  const waiting = waitForNetwork(0, controller.signal);
  await vi.waitFor(() => expect(probe).toHaveBeenCalled());
  controller.abort(new Error("closed"));
  await expect(waiting).rejects.toThrow("closed");
});
