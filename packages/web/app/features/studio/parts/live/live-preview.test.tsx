// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type Api, ApiProblem } from "@tintype/contract/api";
import { afterEach, expect, test, vi } from "vitest";
import { picture } from "../../testing/pictures.ts";
import { renderPart } from "../../testing/render-studio.tsx";
import { Stage } from "../stage/stage.tsx";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "connection");
});
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
async function showPreviews({ width, height, left }: { width: number; height: number; left?: number }) {
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
  const { dispatch } = await renderPart(<Stage isSeen />, { call: never, locate: never, open });
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
  const { asked, set } = await showPreviews({ width: 1600, height: 1200, left: 544 });
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
  await showPreviews({ width: 1600, height: 1200 });
  await screen.findByText(/preview is free$/);
  await userEvent.click(screen.getByRole("button", { name: "1:1" }));
  expect(await screen.findByText(new RegExp(`^${limitSentence}`))).toBeDefined();
  expect(screen.getByRole("button", { name: "Fit" }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole("region", { name: "Preview of a.png" })).toBeDefined();
});

test("a small picture says at which size it is shown", async () => {
  await showPreviews({ width: 512, height: 400 });
  expect(await screen.findByText(/preview is free, shown at 71%$/)).toBeDefined();
});

const preview = { kind: "shown", url: "blob:large", thumbUrl: "blob:small" } as const;
const sides = { widthPx: 600, heightPx: 450 };

/** The stage with these pictures, on a server that answers previews so. Returns how many of its requests were asked for. */
async function showStage(answer: () => Promise<Response>, ...names: string[]) {
  let asked = 0;
  const open = (() => {
    asked += 1;
    return answer();
  }) as Api["open"]; // previews are all that the stage asks for
  const never = () => new Promise<never>(() => undefined);
  const studio = await renderPart(<Stage isSeen />, { call: never, locate: never, open });
  const pictures = names.map((name) => picture(name, { preview, sides }));
  act(() => studio.dispatch({ type: "pictures-added", pictures, refusals: [] }));
  const set = (quality: string) =>
    act(() => studio.dispatch({ type: "setting-changed", tool: "compress", patch: { quality } }));
  return { ...studio, set, pictures, asked: () => asked };
}
const shown = async () =>
  new Response("x", {
    headers: {
      "x-job": "job_1",
      "x-preview": JSON.stringify({ left: 0, top: 0, width: 600, height: 450, size_bytes: 900 }),
      "x-report": JSON.stringify({ width: 600, height: 450 }),
    },
  });
const toggle = () => screen.getByRole("button", { name: /^Live ?preview$/ });
const press = (button: HTMLElement) => act(() => button.click());
/** More time than changes of the settings are waited for. */
const settle = () => act(() => vi.advanceTimersByTimeAsync(2000));
async function settled(words: RegExp) {
  await screen.findByRole("region", { name: "Live preview" }); // its code has loaded
  await settle();
  return screen.findByText(words);
}

test("a server that takes no previews is left alone until it does, with a quiet word, and the picture stays", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const problem = { code: "too-many-requests", detail: "You have used all 1000 free previews for the day." } as const;
  const { asked, set } = await showStage(
    () => Promise.reject(new ApiProblem({ ...problem, status: 429, retryAfterSeconds: 600 })),
    "harbour.jpg",
  );
  set("75");
  expect((await settled(/^The preview is paused[.]/)).textContent).toContain(problem.detail);
  const before = asked();
  for (const quality of ["40", "90", "75"]) {
    set(quality);
    await settle();
    expect(screen.getByText(/^The preview is paused[.]/)).toBeDefined();
  }
  expect(asked()).toBe(before);
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(screen.getByRole("img", { name: "harbour.jpg" })).toBeDefined();
});

test("a preview that a person switches off stays off, also for another picture and other settings", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const { asked, set, dispatch, pictures } = await showStage(shown, "sea.jpg", "hill.jpg");
  set("75");
  await settled(/preview is free/);
  press(toggle());
  const before = asked();
  const hill = pictures[1];
  if (!hill) throw new Error("it was added");
  act(() => dispatch({ type: "picture-selected", id: hill.id }));
  set("40");
  await settle();
  expect(screen.getByRole("img", { name: "hill.jpg" })).toBeDefined();
  expect(toggle().getAttribute("aria-pressed")).toBe("false");
  expect(asked()).toBe(before);
});

test("a person who saves data is not asked for uploads, until they want a preview", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  const { asked, set } = await showStage(shown, "lake.jpg");
  set("90");
  await settle();
  expect(screen.getByRole("img", { name: "lake.jpg" })).toBeDefined();
  expect(toggle().getAttribute("aria-pressed")).toBe("false");
  expect(asked()).toBe(0);
  press(toggle());
  expect(await settled(/preview is free/)).toBeDefined();
});
