// @vitest-environment jsdom

import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  vi.useRealTimers();
});

/** A reachable server, with the page's build or another one. */
function server({ hasOwnBuild }: { hasOwnBuild: boolean }) {
  window.__reactRouterManifest = { url: "/assets/manifest-1.js" };
  vi.stubGlobal("reportError", () => undefined);
  vi.stubGlobal("fetch", async (address: string) =>
    address.startsWith("/assets/manifest") && !hasOwnBuild ? new Response(null, { status: 404 }) : new Response(),
  );
}

const refused = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

test.each([
  [false, "updated"],
  [true, "incomplete"],
])(
  "a part that does not come from a server that is there asks for a reload (the page's own build: %s): %s",
  async (hasOwnBuild, reason) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    server({ hasOwnBuild });
    const { loadChunk, reload } = await import("./load-chunk.ts");
    void loadChunk(refused);
    await vi.advanceTimersByTimeAsync(5000);
    expect(reload.read()).toBe(reason);
  },
);

test("a part that comes at the second try asks for nothing", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server({ hasOwnBuild: true });
  const { loadChunk, reload } = await import("./load-chunk.ts");
  let tries = 0;
  const part = loadChunk(() => {
    tries += 1;
    return tries === 1 ? refused() : Promise.resolve("part");
  });
  await vi.advanceTimersByTimeAsync(5000);
  expect(await part).toBe("part");
  expect(reload.read()).toBeUndefined();
});
