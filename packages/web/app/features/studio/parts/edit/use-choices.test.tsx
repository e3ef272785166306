// @vitest-environment jsdom
import { act, cleanup, waitFor } from "@testing-library/react";
import type { Api } from "@tintype/contract/api";
import { ApiProblem } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import type { Matte, Result } from "../../state/picture.ts";
import { idOf, picture, result } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { type Choices, useChoices } from "./use-choices.ts";

afterEach(cleanup);
URL.createObjectURL ??= () => "blob:nothing";
URL.revokeObjectURL ??= () => undefined;
// jsdom's Blob lacks `stream`, through which a matte is deflated.
Blob.prototype.stream ??= function stream(this: Blob) {
  const bytes = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = bytes.writable.getWriter();
  void this.arrayBuffer().then(async (whole) => {
    await writer.write(new Uint8Array(whole));
    await writer.close();
  });
  return bytes.readable;
};

const id = idOf("head");
const job = { id: "job-1", index: 0 };
const cutOut: Result = { ...result("head.png"), job };

type Edit = { form: FormData; signal: AbortSignal; answer(): void; refuse(problem: unknown): void };

/** A finished cut-out on the page, and the edits requested from the server. */
async function openCutOut() {
  const edits: Edit[] = [];
  const absent = () => Promise.reject(new Error("not asked for in this test"));
  const open = (address: string, { form, signal }: { form: FormData; signal: AbortSignal }) =>
    new Promise<Response>((resolve, reject) => {
      if (address !== "POST /jobs/{id}/files/{index}/edit") return;
      const answer = () => resolve(new Response("a PNG", { headers: { "x-report": '{"width":4,"height":3}' } }));
      edits.push({ form, signal, answer, refuse: reject });
    });
  const api = { call: absent, locate: absent, open: open as unknown as Api["open"] }; // only this endpoint is called
  let choices: Choices | undefined;
  function Choosing() {
    choices = useChoices();
    return null;
  }
  const studio = await renderPart(<Choosing />, api);
  const outcome = { kind: "done", result: cutOut, notes: [], confidence: 0.97, candidates: [0.97, 0.85] } as const;
  act(() =>
    studio.dispatch({
      type: "pictures-added",
      pictures: [picture("head", { file: undefined, outcome })],
      refusals: [],
    }),
  );
  const now = () => {
    const shown = studio.read().pictures[0]?.outcome;
    if (shown?.kind !== "done") throw new Error("the cut-out is gone");
    return shown.result;
  };
  const latest = () => choices as Choices; // rendered above
  const standing = () => latest().of(id, now());
  const asked = async (count: number) => {
    await waitFor(() => expect(edits).toHaveLength(count));
    return edits[count - 1] as Edit; // waited for above
  };
  const settled = () => waitFor(() => expect(standing().isApplying).toBe(false));
  return {
    now,
    standing,
    asked,
    settled,
    cut: (candidate: number) => act(() => latest().choose(id, { part: "candidate", change: { candidate }, waitMs: 0 })),
    paint: (colour: string) =>
      act(() => latest().choose(id, { part: "background", change: { ground: "colour", colour }, waitMs: 0 })),
    dispatch: (edited: Partial<Result>) => act(() => studio.dispatch({ type: "result-edited", id, result: edited })),
  };
}

test("a background that is chosen while a candidate is being applied takes its place and keeps the candidate", async () => {
  const page = await openCutOut();
  page.cut(2);
  const first = await page.asked(1);
  expect(page.standing().isApplying).toBe(true);
  expect([page.standing().statusOf("candidate"), page.standing().statusOf("background")]).toEqual(["Applying", ""]);
  page.paint("#000000");
  expect(first.signal.aborted).toBe(true);
  const second = await page.asked(2);
  expect([second.form.get("candidate"), second.form.get("background")]).toEqual(["2", "#000000"]);
  first.answer();
  second.answer();
  await page.settled();
  expect(page.now().edit?.settings).toMatchObject({ candidate: 2, ground: "colour", colour: "#000000" });
});

test("a candidate that is chosen while a background is being applied keeps the background", async () => {
  const page = await openCutOut();
  page.paint("#ffffff");
  await page.asked(1);
  page.cut(2);
  const { form, answer } = await page.asked(2);
  expect([form.get("candidate"), form.get("background")]).toEqual(["2", "#ffffff"]);
  answer();
  await page.settled();
  expect(page.now().edit?.settings).toMatchObject({ candidate: 2, ground: "colour", colour: "#ffffff" });
});

test("brush work on a candidate is there again when that candidate is chosen again", async () => {
  const matte: Matte = { width: 1, height: 1, values: new Uint8Array([255]) };
  const page = await openCutOut();
  page.cut(1);
  (await page.asked(1)).answer();
  await page.settled();
  const settings = page.now().edit?.settings;
  if (!settings) throw new Error("it was edited");
  page.dispatch({ edit: { settings, editedMattes: new Map([[1, matte]]) } });
  page.cut(2);
  const other = await page.asked(2);
  expect(other.form.has("matte")).toBe(false);
  other.answer();
  await page.settled();
  page.cut(1);
  const back = await page.asked(3);
  expect(back.form.has("matte")).toBe(true);
});

test("what fails is said where it was chosen, and the result stays", async () => {
  const page = await openCutOut();
  page.cut(2);
  (await page.asked(1)).refuse(new ApiProblem({ status: 410, detail: "Gone." }));
  await page.settled();
  expect(page.standing().statusOf("candidate")).toContain("have expired");
  expect(page.standing().statusOf("background")).toBe("");
  expect([page.standing().settings, page.now()]).toEqual([undefined, cutOut]);
});

test("a choice does not change the result of a later run", async () => {
  const page = await openCutOut();
  page.cut(2);
  const { answer } = await page.asked(1);
  page.dispatch({ job: { id: "job-2", index: 0 } });
  expect(page.standing().isApplying).toBe(false);
  answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(page.now().edit).toBeUndefined();
});
