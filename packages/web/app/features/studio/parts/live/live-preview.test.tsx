// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type Api, ApiProblem } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { picture } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { Stage } from "../stage/stage.tsx";

afterEach(cleanup);
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
URL.createObjectURL ??= () => "blob:nothing";
URL.revokeObjectURL ??= () => undefined;
Element.prototype.scrollTo ??= () => undefined;
// jsdom decodes no pictures: the result is shown without the original.
const undecoded = () => Promise.reject(new Error("not decoded in this test"));
globalThis.createImageBitmap ??= undecoded;
HTMLImageElement.prototype.decode ??= undecoded;

const limitSentence = "Preview limit for this image reached. Submit to see the rest.";
const seenDetail = "Previews show at most half of an image a day.";

/** A server that shows the whole of a result, and only the part at `left`; without it, no part. */
function showPreviews({ width, height, left }: { width: number; height: number; left?: number }) {
  const asked: FormData[] = [];
  const open = (async (_, { form }) => {
    if (!(form instanceof FormData)) throw new Error("previews are forms");
    if (form.get("keep")) return new Response("", { headers: { "x-job": "job_1" } });
    asked.push(form);
    const isWhole = form.get("whole") !== null;
    const at = form.get("left");
    if (!isWhole && (left === undefined || (at !== null && at !== String(left))))
      throw new ApiProblem({ status: 422, code: "cannot-process", detail: seenDetail, field: "part" });
    const seen = { left: isWhole ? 0 : left, top: 0, width, height, size_bytes: 900 + asked.length };
    const shown = isWhole ? { width: 16, height: 12 } : { width: 512, height: 480 };
    return new Response("x", {
      headers: { "x-preview": JSON.stringify(seen), "x-report": JSON.stringify(shown) },
    });
  }) as Api["open"]; // only this endpoint is called
  const never = () => new Promise<never>(() => undefined);
  const { dispatch } = renderPart(<Stage isSeen />, { call: never, locate: never, open });
  const preview = { kind: "shown", url: "blob:large", thumbUrl: "blob:small" } as const;
  const sides = { widthPx: width, heightPx: height };
  const set = (quality: string) =>
    act(() => dispatch({ type: "setting-changed", tool: "compress", patch: { quality } }));
  set("60");
  act(() => dispatch({ type: "pictures-added", pictures: [picture("a.png", { preview, sides })], refusals: [] }));
  return { asked, set };
}

// product: preview-of-a-part
test("once previews have shown half of a picture, it says so, the last part stays, and its settings can be tried", async () => {
  const { asked, set } = showPreviews({ width: 1600, height: 1200, left: 544 });
  expect(await screen.findByText(/preview is free$/)).toBeDefined();
  expect(screen.queryByText(/shown at/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "1:1" }));
  const map = await screen.findByRole("button", { name: /^Part shown: from 544, 0[.]/ });
  // The part's size is what the server made.
  expect(map.querySelector("span")?.style.width).toBe(`${(512 * 104) / 1600}px`);
  map.focus();
  await userEvent.keyboard("{ArrowRight}");
  const told = await screen.findByText(new RegExp(`^${limitSentence}`));
  expect(await screen.findByRole("button", { name: /^Part shown: from 544, 0[.]/ })).toBeDefined();
  expect(screen.getByRole("region", { name: "Part of a.png" })).toBeDefined();

  const before = asked.length;
  set("40");
  expect(await screen.findByText(`${900 + before + 1} B`)).toBeDefined();
  expect(asked.at(-1)?.get("left")).toBe("544");
  expect(told.textContent).toContain(limitSentence);
  await userEvent.click(screen.getByRole("button", { name: "Fit" }));
  expect(screen.queryByText(new RegExp(`^${limitSentence}`))).toBeNull();
});

test("a picture none of whose parts is shown any more is shown whole, with the reason", async () => {
  showPreviews({ width: 1600, height: 1200 });
  await screen.findByText(/preview is free$/);
  await userEvent.click(screen.getByRole("button", { name: "1:1" }));
  expect(await screen.findByText(new RegExp(`^${limitSentence}`))).toBeDefined();
  expect(screen.getByRole("button", { name: "Fit" }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole("region", { name: "Preview of a.png" })).toBeDefined();
});

test("a small picture says at which size it is shown", async () => {
  showPreviews({ width: 512, height: 400 });
  expect(await screen.findByText(/preview is free, shown at 71%$/)).toBeDefined();
});
