// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { limits, text } from "@tintype/contract";
import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { formFields } from "./state/form-fields.ts";
import { ordersOf } from "./state/order.ts";
import type { StudioEvent } from "./state/studio-event.ts";
import { arrived, heard, job, jobFile, picture, quality, result } from "./testing/pictures.ts";
import { renderStudio } from "./testing/render-studio.tsx";

afterEach(cleanup);

const file = (name: string, type = "image/png") => new File(["x"], name, { type });
const pictures = () => screen.getAllByLabelText("Images", { selector: "input" })[0] as HTMLInputElement; // the selector matches inputs only
/** An API that answers only format detection. */
const detecting = (answer: () => Promise<unknown>): Partial<Api> => ({
  call: ((address: string) =>
    address.includes("detect") ? answer() : Promise.reject(new ConnectionLost())) as Api["call"], // one endpoint of many
});

test("without a picture, submitting says what is missing and sends nothing", async () => {
  const { user } = await renderStudio({ api: {} });
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() =>
    expect(screen.getByRole("alert").textContent).toBe("Please select at least one image to compress."),
  );
});

test.each([
  ["#resize", "Resize", "Please select at least one image to resize."],
  ["#upscale", "Upscale", "Please select at least one image to upscale."],
  ["#removeBackground", "Remove BG", "Please select at least one image to remove its background."],
])("the address %s names its tool, which says what it misses", async (hash, label, words) => {
  const { user } = await renderStudio({ api: {}, path: `/${hash}` });
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe(label);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(words));
});

test("tabs are walked by arrow keys, end to end, and only the chosen one is in the tab order", async () => {
  const { user } = await renderStudio({ api: {} });
  screen.getByRole("tab", { name: "Compress" }).focus();
  await user.keyboard("{ArrowLeft}");
  expect(document.activeElement?.textContent).toBe("Watermark");
  expect(window.location.hash).toBe("#watermark");
  await user.keyboard("{Home}{ArrowRight}");
  const tabs = screen.getAllByRole("tab");
  expect(tabs.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1, -1, -1, -1]);
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Resize");
});

test("the first picture's format is filled in, can be changed, and goes with the picture", async () => {
  const { user } = await renderStudio({ api: detecting(async () => ({ source_format: "png" })), path: "/#convert" });
  await user.upload(pictures(), [file("a.png")]);
  const source = await screen.findByLabelText<HTMLSelectElement>("Source format");
  await waitFor(() => expect(source.value).toBe("png"));
  await user.selectOptions(source, "gif");
  expect(source.value).toBe("gif");
  await user.click(await screen.findByRole("button", { name: "Remove a.png" }));
  expect(source.value).toBe("");
});

test.each([
  ["the server refuses", new ApiProblem({ status: 415, detail: "" }), "Failed to detect source format"],
  ["nothing comes back", new ConnectionLost(), "Error detecting source format!"],
])("when the format cannot be told because %s, it is said where the format is asked for", async (_, problem, words) => {
  const { user, said } = await renderStudio({ api: detecting(() => Promise.reject(problem)) });
  await user.upload(pictures(), [file("a.png")]);
  await screen.findByText("a.png");
  expect(screen.queryByText(words)).toBeNull();
  await user.click(screen.getByRole("tab", { name: "Convert" }));
  expect(await screen.findByText(words)).toBeDefined();
  expect(said).toEqual([]);
});

test("several pictures are counted, and what is no picture is left out with a sentence", async () => {
  const { user } = await renderStudio({ api: {} });
  await user.upload(pictures(), [
    file("a.png"),
    file("b.png"),
    file("notes.txt", "text/plain"),
    new File([], "empty.png"),
  ]);
  const strip = await screen.findByRole("list", { name: "Images" });
  expect(within(strip).getAllByRole("listitem")).toHaveLength(2);
  expect(screen.getByText("2 images")).toBeDefined();
  expect(screen.getAllByText("notes.txt is not an image we can process.").length).toBeGreaterThan(0);
  expect(screen.getAllByText("empty.png is empty.").length).toBeGreaterThan(0);
});

test("what is no picture is not said to be one, and its format is asked for only where it matters", async () => {
  const fault = "This file is not an image we can read.";
  const refused = () => Promise.reject(new ApiProblem({ status: 415, code: "not-an-image", detail: fault }));
  const { user } = await renderStudio({ api: { call: refused } });
  await user.upload(pictures(), [file("letter.png")]);
  const judged = await screen.findByRole("status", { name: "Cannot be processed" });
  expect(judged.textContent).toContain(`letter.png: ${fault}`);
  expect(screen.queryByText(/can still be processed/)).toBeNull();
  expect(screen.queryByText(text.detectFailed)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(`letter.png: ${fault}`));
  await user.click(screen.getByRole("tab", { name: "Convert" }));
  expect(await screen.findAllByText(text.detectFailed)).toHaveLength(1);
});

test("while images of an earlier visit are brought back, it is said how many", async () => {
  const { studio } = await renderStudio({ api: {} });
  act(() => studio.dispatch({ type: "restoring", count: 199 }));
  expect(screen.getByText("Bringing back 199 images")).toBeDefined();
  act(() => studio.dispatch({ type: "restoring", count: 0 }));
  expect(screen.getByText("Drop images here")).toBeDefined();
});

const guest: StudioEvent = {
  type: "allowance-known",
  allowance: { tier: "guest", usage: { used: 0, limit: 5 }, limits: limits.guest },
};
const withPicture = (name: string, more: Parameters<typeof picture>[1]): StudioEvent => ({
  type: "pictures-added",
  pictures: [picture(name, more)],
  refusals: [],
});

test("a file over the plan's limit is refused before it is sent", async () => {
  const { user, studio } = await renderStudio({ api: {} });
  act(() => {
    studio.dispatch(guest);
    studio.dispatch(withPicture("huge.png", { sizeBytes: 11_200_000 }));
    studio.dispatch(quality("75"));
  });
  const words = "Without an account, an image can be up to 10 MB; huge.png is 11.2 MB.";
  const judged = await screen.findByRole("status", { name: "Cannot be processed" });
  expect(within(judged).getByText(words)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(words));
  expect(studio.read().run).toBeUndefined();
});

test("a picture too large for the factor is told at once, and the factor that fits is a click away", async () => {
  const { user, studio } = await renderStudio({ api: {}, path: "/#upscale" });
  act(() => {
    studio.dispatch(guest);
    studio.dispatch(withPicture("wide.jpg", { sides: { widthPx: 2000, heightPx: 1500 } }));
  });
  const judged = await screen.findByRole("status", { name: "Cannot be processed" });
  expect(judged.textContent).toContain(
    "Without an account, a result can be up to 25 megapixels; wide.jpg would be 48.",
  );
  await user.click(within(judged).getByRole("button", { name: "2× fits" }));
  expect(screen.queryByRole("status", { name: "Cannot be processed" })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /2×/ }).checked).toBe(true);
});

test("a size is set by percent, by a locked ratio and by numbers, and enlarging leads to Upscale", async () => {
  const { user, studio } = await renderStudio({ api: {}, path: "/#resize" });
  act(() => studio.dispatch(withPicture("harbour.jpg", { sides: { widthPx: 640, heightPx: 480 } })));
  await user.click(await screen.findByRole("radio", { name: "Percent" }));
  await user.type(screen.getByRole("textbox", { name: "Percent" }), "50");
  expect(screen.getByText("640 × 480 becomes 320 × 240 pixels.")).toBeDefined();
  await user.click(screen.getByRole("radio", { name: "Pixels" }));
  await user.type(screen.getByLabelText("Width"), "1280");
  expect(screen.getByText("640 × 480 becomes 1,280 × 960 pixels.")).toBeDefined();
  expect(screen.getByText(/^This enlarges the image 2[.]0 times/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Go to Upscale" }));
  const chosen = screen.getByRole("tab", { selected: true });
  expect(chosen.textContent).toBe("Upscale");
  expect(document.activeElement).toBe(chosen);
  expect(studio.read().pictures.map(({ name }) => name)).toEqual(["harbour.jpg"]);
});

test("a canvas is offered for a fit into a box, with its colour, position and padding", async () => {
  const { user, studio } = await renderStudio({ api: {}, path: "/#resize" });
  act(() => studio.dispatch(withPicture("harbour.jpg", { sides: { widthPx: 640, heightPx: 480 } })));
  await user.type(await screen.findByLabelText("Width"), "1000");
  await user.type(screen.getByLabelText("Height"), "1000");
  expect(screen.queryByLabelText("Canvas")).toBeNull();
  await user.click(screen.getByRole("radio", { name: "Fit" }));
  expect(screen.queryByLabelText("Position")).toBeNull();
  await user.selectOptions(screen.getByLabelText("Canvas"), "White");
  expect(screen.getByText("640 × 480 becomes 1,000 × 1,000 pixels.")).toBeDefined();
  expect(screen.queryByText(/will look softer/)).toBeNull();
  await user.selectOptions(screen.getByLabelText("Position"), "Bottom");
  await user.type(screen.getByLabelText("Padding"), "5%");
  expect(formFields("resize", studio.read().settings.resize)).toMatchObject({
    ...{
      width: "1000",
      height: "1000",
      method: "fit",
      canvas: "#ffffff",
      position: "south",
      padding: "5%",
      gravity: "",
    },
  });
  await user.selectOptions(screen.getByLabelText("Canvas"), "Another colour");
  fireEvent.change(screen.getByLabelText(/^Canvas colour/), { target: { value: "#336699" } });
  expect(studio.read().settings.resize.canvas).toBe("#336699");
  await user.selectOptions(screen.getByLabelText("Canvas"), "None");
  expect(screen.queryByLabelText("Padding")).toBeNull();
  expect(formFields("resize", studio.read().settings.resize)).toMatchObject({ canvas: "", position: "", padding: "" });
});

test("a preset on white brings its canvas, and another one takes it away", async () => {
  const { user, studio } = await renderStudio({ api: {}, path: "/#resize" });
  act(() => studio.dispatch(withPicture("harbour.jpg", { sides: { widthPx: 640, heightPx: 480 } })));
  const sizes = await screen.findByLabelText("Common sizes");
  await user.selectOptions(sizes, "Amazon product on white: 2000 × 2000");
  expect(studio.read().settings.resize).toMatchObject({ method: "fit", canvas: "#ffffff" });
  expect(screen.getByText("640 × 480 becomes 2,000 × 2,000 pixels.")).toBeDefined();
  await user.selectOptions(sizes, "Link preview (Open Graph): 1200 × 630");
  expect(formFields("resize", studio.read().settings.resize)).toMatchObject({ method: "fill", canvas: "" });
});

test("an SVG is drawn at the new size: no word of softness", async () => {
  const { user, studio } = await renderStudio({ api: {}, path: "/#resize" });
  act(() => studio.dispatch(withPicture("mark.svg", { format: "svg", sides: { widthPx: 32, heightPx: 32 } })));
  await user.type(await screen.findByLabelText("Width"), "640");
  expect(screen.getByText("32 × 32 becomes 640 × 640 pixels.")).toBeDefined();
  expect(screen.queryByText(/will look softer/)).toBeNull();
});

/** A batch of one picture is on its way. */
async function renderSending() {
  const rendered = await renderStudio({ api: {}, path: "/#convert" });
  const { studio } = rendered;
  const png = picture("a.png");
  act(() => {
    studio.dispatch(withPicture("a.png", {}));
    studio.dispatch({ type: "setting-changed", tool: "convert", patch: { target_format: "png" } });
    studio.dispatch({ type: "submitted" });
    const state = studio.read();
    const orders = ordersOf(state, [png]);
    studio.dispatch({ type: "prepared", batch: state.batch, reused: [], orders, keys: new Map(), shortage: undefined });
  });
  return rendered;
}

test("a refusal of the server is told once, beside the button, with a reference that can be copied", async () => {
  const { studio } = await renderSending();
  const sentence = "Something went wrong on our side. Please try again.";
  const refusal = { sentence, code: "internal", status: 500, reference: "req_42" };
  act(() => studio.dispatch({ type: "part-refused", batch: studio.read().batch, refusal }));
  expect(screen.getByRole("alert").textContent).toContain(text.processFailed(`500 ${sentence}`));
  expect(screen.getAllByText(text.processFailed(`500 ${sentence}`))).toHaveLength(1);
  expect(screen.getByText("req_42")).toBeDefined();
  expect(screen.getByRole("button", { name: "Copy the reference req_42" })).toBeDefined();
  expect(screen.getAllByText("a.png").length).toBeGreaterThan(0);
});

test("the same format is no work: the server's sentence is shown", async () => {
  const { studio } = await renderSending();
  act(() => studio.dispatch({ type: "part-unneeded", batch: studio.read().batch, reason: text.sameFormat }));
  expect((await screen.findAllByText(text.sameFormat)).length).toBeGreaterThan(0);
});

test("a removed picture comes back, with its result and its place", async () => {
  const { user, studio } = await renderStudio({ api: {} });
  const both = [picture("a.jpg"), picture("b.jpg")];
  act(() => {
    studio.dispatch({ type: "pictures-added", pictures: both, refusals: [] });
    studio.dispatch(quality("75"));
    studio.dispatch({ type: "submitted" });
    const state = studio.read();
    const reused = both.map(({ id, name }) => ({ id, result: result(name), notes: [], confidence: undefined }));
    const rest = { orders: ordersOf(state, both), keys: new Map(), shortage: undefined };
    studio.dispatch({ type: "prepared", batch: state.batch, reused, ...rest });
  });
  const results = () => within(screen.getByRole("list", { name: "Images" })).getAllByRole("button", { name: /^Show/ });
  await user.click(await screen.findByRole("button", { name: "Remove a.jpg" }));
  await user.click(await screen.findByRole("button", { name: /^Remove b.jpg/ }));
  expect(screen.getByText("Drop images here")).toBeDefined();
  const undo = () => screen.getByRole("button", { name: "Undo" });
  await waitFor(() => expect(document.activeElement).toBe(undo()));
  await user.keyboard("{Enter}");
  await screen.findByRole("button", { name: /^Remove b.jpg/ });
  await user.click(undo());
  const names = () => results().map((button) => button.getAttribute("aria-label"));
  await waitFor(() => expect(names()).toEqual(["Show a.jpg", "Show b.jpg"]));
  await user.click(screen.getByRole("button", { name: "Remove all" }));
  await user.click(undo());
  await waitFor(() => expect(results()).toHaveLength(2));
  expect(screen.getByRole("button", { name: "Download all" })).toBeDefined();
});

test("once a long batch is over, what did not go and what failed count as not done, and nothing of them is sent again", async () => {
  const never = () => new Promise<never>(() => undefined);
  const { user, studio } = await renderStudio({ api: { call: never, open: never, locate: never } });
  const names = ["a", "b", "c", "d", "e", "f", "half"];
  const sent = names.map((name) => picture(`${name}.jpg`));
  const unread = picture("text.png", { fault: "text.png: This file is not an image we can read." });
  const tell = (...events: StudioEvent[]) => act(() => events.forEach(studio.dispatch));
  tell(
    { type: "caller-known", caller: { id: "ann", tier: "hobby" } },
    { type: "allowance-known", allowance: { tier: "hobby", usage: { used: 0, limit: 100 }, limits: limits.hobby } },
    { type: "pictures-added", pictures: [...sent, unread], refusals: [] },
    quality("75"),
    { type: "submitted" },
  );
  const { batch } = studio.read();
  const orders = ordersOf(studio.read(), sent);
  const files = sent.map((_, index) =>
    jobFile(
      index,
      index < 6 ? { state: "done", progress: 1 } : { state: "failed", reason: "Damaged.", code: "broken-image" },
    ),
  );
  tell(
    { type: "prepared", batch, reused: [], orders, keys: new Map(), shortage: undefined },
    { type: "part-accepted", batch, jobId: "job-1", idempotencyKey: "key-1" },
    heard({ type: "snapshot", job: job(files, { state: "done" }) }, { batch }),
    heard({ type: "job", state: "done", credits: { charged: 6, remaining: 94, limit: 100 } }, { batch }),
    ...sent.slice(0, 6).map(({ name }) => arrived(name, { batch })),
    { type: "followed", batch },
  );
  expect(await screen.findByText(/6 images done/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Show 2 that need attention" }));
  const groups = await screen.findByRole("group", { name: "Show" });
  expect(
    within(groups)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["All 8", "In progress 0", "Done 6", "Needs attention 2"]);
  const grid = within(screen.getByRole("listbox", { name: "Images" }));
  expect(grid.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("Damaged."),
    expect.stringContaining("Skipped"),
  ]);
  // What was done is kept in the browser.
  tell({ type: "prices-found", found: { knownIds: new Set(sent.slice(0, 6).map(({ id }) => id)) } });
  expect(screen.getByText("Up to date · 94 of 100 left")).toBeDefined();
  expect(screen.queryByRole("button", { name: /continue with/ })).toBeNull();
});

test("on a phone the options come over the picture, stay with what is wrong in them, and go with Escape and the run", async () => {
  const { user, studio } = await renderStudio({ api: {} });
  expect(screen.queryByRole("button", { name: "Options" })).toBeNull();
  act(() => studio.dispatch(withPicture("a.png", {})));
  const button = await screen.findByRole("button", { name: "Options" });
  const isOpen = () => button.getAttribute("aria-expanded");
  await user.click(button);
  expect(isOpen()).toBe("true");
  await user.keyboard("{Escape}");
  expect(isOpen()).toBe("false");
  await user.click(button);
  await user.clear(screen.getByRole("textbox", { name: "Quality" }));
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("valid quality"));
  expect(isOpen()).toBe("true");
  act(() => {
    studio.dispatch(quality("60"));
    studio.dispatch({ type: "submitted" });
    const { batch, pictures } = studio.read();
    const orders = ordersOf(studio.read(), pictures);
    studio.dispatch({ type: "prepared", batch, reused: [], orders, keys: new Map(), shortage: undefined });
  });
  expect(isOpen()).toBe("false");
});

// product: manual-soon
test("the manual profile is shown as coming and cannot be chosen", async () => {
  await renderStudio({ api: {}, path: "/#removeBackground" });
  const manual = await screen.findByRole<HTMLInputElement>("radio", { name: /Manual Studio/ });
  expect(manual.disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Auto/ }).checked).toBe(true);
});

test("a subject can be put before a picture, and without one submitting says what is missing", async () => {
  const { user } = await renderStudio({ api: {}, path: "/#removeBackground" });
  await user.upload(pictures(), [file("a.png")]);
  await user.click(await screen.findByRole("radio", { name: "Image" }));
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Please choose a background image."));
  await user.upload(screen.getByLabelText("Background image"), [file("beach.jpg", "image/jpeg")]);
  expect(await screen.findByText("beach.jpg")).toBeDefined();
});

// product: size-unreachable-told
test("a file size that no quality reaches is said while it is chosen, and both ways on are offered", async () => {
  const asked: string[] = [];
  const neededBytes = 211_800;
  const told = JSON.stringify({ left: 0, top: 0, width: 2912, height: 4368, size_bytes: neededBytes, quality: 40 });
  const open = (async (_, { form }) => {
    asked.push(String(form?.get("options")));
    return new Response("x", { headers: { "x-job": "job_1", "x-preview": told } });
  }) as Api["open"]; // only this endpoint is called
  const { user } = await renderStudio({ api: { open } });
  await user.upload(pictures(), [file("a.png")]);
  await user.click(await screen.findByRole("radio", { name: "File size" }));
  await user.click(await screen.findByRole("button", { name: "200 KB" }));
  expect(await screen.findByText("200 KB is too small for 2,912 × 4,368.")).toBeDefined();
  // Offers 10% more than the estimate.
  await user.click(screen.getByRole("button", { name: "Allow 233 KB" }));
  expect(screen.getByLabelText<HTMLInputElement>("Maximum size in KB").value).toBe("233");
  await waitFor(() => expect(asked.at(-1)).toContain("233000"));
  expect(screen.queryByText(/is too small/)).toBeNull();

  await user.click(screen.getByRole("button", { name: "100 KB" }));
  await user.click(await screen.findByRole("button", { name: "Make it smaller in pixels" }));
  expect(screen.getByRole("switch", { name: "Allow fewer pixels" }).getAttribute("aria-checked")).toBe("true");
  expect(
    await screen.findByText("100 KB is too small for 2,912 × 4,368: the result will have fewer pixels."),
  ).toBeDefined();
});
