// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { limits } from "@tintype/contract";
import type { Api } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ordersOf } from "../../state/order.ts";
import type { StudioEvent } from "../../state/studio-event.ts";
import { arrived, heard, job, jobFile, picture, quality } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { OptionsPanel } from "./options-panel.tsx";

afterEach(cleanup);

// product: continued-free
test("before a further step on a result runs, the form says what it costs, as the server knows", async () => {
  const quoted: { files: { sha256: string }[]; recipe: { steps: object[] } }[] = [];
  let continued = [0];
  const call = ((address: string, { json }: { json?: unknown }): Promise<unknown> => {
    if (address !== "POST /quote") return new Promise(() => undefined);
    quoted.push(json as (typeof quoted)[number]);
    return Promise.resolve({ continued });
  }) as Api["call"]; // only this endpoint is answered
  const never = () => new Promise<never>(() => undefined);
  const studio = await renderPart(<OptionsPanel />, { call, open: never, locate: never });
  const tell = (...events: StudioEvent[]) => act(() => events.forEach(studio.dispatch));
  const sent = [picture("a.png")];
  tell(
    { type: "caller-known", caller: { id: "ann", tier: "hobby" } },
    { type: "allowance-known", allowance: { tier: "hobby", usage: { used: 0, limit: 100 }, limits: limits.hobby } },
    { type: "pictures-added", pictures: sent, refusals: [] },
    quality("75"),
    { type: "submitted" },
  );
  const { batch } = studio.read();
  tell(
    {
      type: "prepared",
      batch,
      reused: [],
      orders: ordersOf(studio.read(), sent),
      keys: new Map(),
      shortage: undefined,
    },
    { type: "part-accepted", batch, jobId: "job-1", idempotencyKey: "key-1" },
    heard({ type: "snapshot", job: job([jobFile(0, { state: "done", progress: 1 })], { state: "done" }) }, { batch }),
    heard({ type: "job", state: "done", credits: { charged: 1, remaining: 99, limit: 100 } }, { batch }),
    arrived("a.png", { batch }),
    { type: "followed", batch },
  );
  tell({ type: "tool-chosen", tool: "resize" }, { type: "setting-changed", tool: "resize", patch: { width: "20" } });
  expect(await screen.findByText("0 credits · 99 of 100 left")).toBeDefined();
  expect(quoted.at(-1)).toMatchObject({
    recipe: { steps: [{ resize: { width: 20 } }] },
    files: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), width: 400, height: 300, format: "png" }],
  });
  continued = [];
  tell({ type: "setting-changed", tool: "resize", patch: { width: "30" } });
  expect(await screen.findByText("1 credit · 99 of 100 left")).toBeDefined();
});
