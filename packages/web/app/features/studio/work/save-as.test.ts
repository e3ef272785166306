// @vitest-environment jsdom
import type { Api } from "@tintype/contract/api";
import { expect, test } from "vitest";
import { createStore } from "../../../lib/store.ts";
import { initialState } from "../state/studio-state.ts";
import { updateStudio } from "../state/update-studio.ts";
import { picture, result } from "../testing/pictures.ts";
import { createSaveAs } from "./save-as.ts";

test("a result that the server would charge for is not made into another format, and that is said", async () => {
  const cutOut = picture("head.png", {
    outcome: { kind: "done", result: result("head_bgremoved.png"), notes: [], confidence: 0.9 },
  });
  const store = createStore({
    initial: { ...initialState, pictures: [cutOut] },
    update: updateStudio,
    perform: () => undefined,
  });
  const called: string[] = [];
  const told: string[] = [];
  const call = (async (address: string, { json }: { json: unknown }) => {
    called.push(`${address} ${JSON.stringify(json)}`);
    return { continued: [] };
  }) as unknown as Api["call"]; // only this endpoint is called
  const absent = () => Promise.reject(new Error("not asked for in this test"));
  const notify = { error: (sentence: string) => told.push(sentence), info: (sentence: string) => told.push(sentence) };
  const host = { outOfCredits: absent, findShortage: absent, creditsUsed: () => undefined, signUp: () => undefined };
  await createSaveAs({ store, api: { call, open: absent, locate: absent }, notify, host }).saveAs(cutOut.id, "jpeg");
  expect(called).toHaveLength(1);
  expect(called[0]).toMatch(/^POST \/quote .*"target_format":"jpeg".*"sha256":"[0-9a-f]{64}"/);
  expect(told).toEqual(["This result is too old to become a JPEG for free. Convert makes one for a credit."]);
});
