// @vitest-environment jsdom
import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Api } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import type { HeldResult, Picture } from "../../state/picture.ts";
import { idOf, picture, result } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { PictureGrid } from "./picture-grid.tsx";

afterEach(cleanup);
URL.revokeObjectURL ??= () => undefined;

const held = (name: string): Picture => {
  const one: HeldResult = {
    ...{ name: `${name}.png`, format: "png", sides: { widthPx: 4, heightPx: 3 }, key: undefined, thumbsUrl: "" },
    ...{ job: { id: name, index: 0 }, keepAtMs: Date.now() + 60_000 },
  };
  return picture(name, { outcome: { kind: "held", held: one, notes: ["A part may be missing."], confidence: 0.9 } });
};
const done = (name: string): Picture =>
  picture(name, { outcome: { kind: "done", result: result(name), notes: [], confidence: undefined } });
const failed = (name: string): Picture =>
  picture(name, { outcome: { kind: "failed", reason: "Damaged.", code: "broken-image" } });

async function showGrid(...pictures: Picture[]) {
  const decided: string[] = [];
  const never = () => new Promise<never>(() => undefined);
  const decide = (how: string) =>
    ((address: string, { params }: { params?: { id?: string } } = {}) => {
      if (address.includes("/files/{index}")) decided.push(`${how} ${params?.id}`);
      return never();
    }) as unknown as Api["call"]; // both calls have the same shape here
  const studio = await renderPart(<PictureGrid />, {
    call: decide("discard"),
    open: decide("keep") as unknown as Api["open"],
    locate: never,
  });
  act(() => studio.dispatch({ type: "pictures-added", pictures, refusals: [] }));
  return {
    studio,
    decided,
    items: () => within(screen.getByRole("listbox", { name: "Images" })).getAllByRole("option"),
  };
}

test("each picture says what became of it", async () => {
  await showGrid(done("a"), failed("b"), held("c"), picture("d"));
  for (const name of [
    "a 400 × 300, 400 B, done",
    "b Damaged., cannot be processed",
    "c A part may be missing., needs attention",
    "d 400 × 300, 1.0 KB",
  ])
    expect(screen.getByRole("option", { name })).toBeTruthy();
});

test("held results are kept and discarded by keys, and a picture is opened by one", async () => {
  const { studio, decided, items } = await showGrid(held("a"), held("b"), done("c"));
  act(() => studio.dispatch({ type: "grid-changed", grid: { isOpen: true } }));
  const user = userEvent.setup();
  items()[0]?.focus();
  await user.keyboard("k");
  await user.keyboard("{ArrowRight}x");
  expect(decided).toEqual(["keep a", "discard b"]);
  await user.keyboard("{End}c");
  expect(studio.read()).toMatchObject({ selectedId: idOf("c"), grid: { isOpen: false } });
});

test("the order is chosen and goes with the filter, which leaves no empty grid", async () => {
  const { studio } = await showGrid(done("a"), failed("b"), done("c"));
  const user = userEvent.setup();
  const names = () =>
    screen.getAllByTitle(/400 × 300|Damaged/).map((remark) => remark.previousElementSibling?.textContent);
  await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Needs attention first");
  expect(names()).toEqual(["b", "a", "c"]);
  act(() => studio.dispatch({ type: "grid-changed", grid: { group: "rest" } }));
  expect(names()).toEqual(["b"]);
  act(() => studio.dispatch({ type: "pictures-removed", ids: [idOf("b")] }));
  expect(names()).toEqual(["a", "c"]);
});

test("nothing happens to selected pictures that a filter hides, nor to one that has left the group", async () => {
  const { studio, decided, items } = await showGrid(held("a"), failed("b"), done("c"));
  const select = (name: string) =>
    act(() => studio.dispatch({ type: "selection-changed", ids: new Set([idOf(name)]) }));
  select("a");
  act(() => studio.dispatch({ type: "grid-changed", grid: { group: "done" } }));
  expect(studio.read().selection.size).toBe(0);
  select("b");
  items()[0]?.focus();
  await userEvent.keyboard("x{Delete}");
  expect(decided).toEqual([]);
  expect(studio.read().pictures.map(({ name }) => name)).toHaveLength(3);
});
