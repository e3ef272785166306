// @vitest-environment jsdom
import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../../../ui/testing/modal-dialogs.ts";
import type { RecentResult } from "../../state/studio-state.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { RecentResults } from "./recent-results.tsx";

afterEach(cleanup);
fillInModalDialogs();

const recent = (name: string, batch?: string): RecentResult => ({
  key: name,
  tool: "compress",
  name,
  format: "jpeg",
  sourceName: name,
  sides: { widthPx: 40, heightPx: 30 },
  sizeBytes: 400,
  sourceBytes: 1000,
  keptAtMs: 0,
  isSaved: false,
  ...(batch && { batch }),
});

test("recent results are shown by batch, whose images are listed when they are asked for", async () => {
  const { dispatch } = await renderPart(<RecentResults />);
  const results = [recent("a.jpg", "2"), recent("b.jpg", "1"), recent("c.jpg", "1"), recent("d.jpg")];
  act(() => dispatch({ type: "recent-known", recent: results }));
  await userEvent.click(screen.getByRole("button", { name: "Recent results" }));
  const rows = within(screen.getByRole("list", { name: "Recent results" }));
  expect(rows.getAllByRole("button", { name: /^Download/ }).map(({ title }) => title)).toEqual([
    "Download a.jpg",
    "Download 2 images as a ZIP",
    "Download d.jpg",
  ]);
  await userEvent.click(rows.getByRole("button", { name: "Show images" }));
  const listed = within(screen.getByRole("list", { name: "Compress, 2 images" }));
  expect(listed.getByText("b.jpg")).toBeTruthy();
  expect(listed.getByRole("button", { name: "Download c.jpg" })).toBeTruthy();
});
