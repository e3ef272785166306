// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
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
  const { user } = renderStudio({ api: {} });
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() =>
    expect(screen.getByRole("alert").textContent).toBe("Please select at least one image to compress."),
  );
});

test("tabs are walked by arrow keys, end to end, and only the chosen one is in the tab order", async () => {
  const { user } = renderStudio({ api: {} });
  screen.getByRole("tab", { name: "Compress" }).focus();
  await user.keyboard("{ArrowLeft}");
  expect(document.activeElement?.textContent).toBe("Convert");
  expect(window.location.hash).toBe("#convert");
  await user.keyboard("{Home}{ArrowRight}");
  const tabs = screen.getAllByRole("tab");
  expect(tabs.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1, -1, -1]);
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Resize");
});

test("the first picture's format is filled in, can be changed, and goes with the picture", async () => {
  const { user } = renderStudio({ api: detecting(async () => ({ source_format: "png" })), path: "/#convert" });
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
  const { user, said } = renderStudio({ api: detecting(() => Promise.reject(problem)) });
  await user.upload(pictures(), [file("a.png")]);
  await screen.findByText("a.png");
  expect(screen.queryByText(words)).toBeNull();
  await user.click(screen.getByRole("tab", { name: "Convert" }));
  expect(await screen.findByText(words)).toBeDefined();
  expect(said).toEqual([]);
});

test("several pictures are counted, and what is no picture is left out with a sentence", async () => {
  const { user } = renderStudio({ api: {} });
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

// product: manual-soon
test("the manual profile is shown as coming and cannot be chosen", async () => {
  renderStudio({ api: {}, path: "/#removeBackground" });
  const manual = await screen.findByRole<HTMLInputElement>("radio", { name: /Manual Studio/ });
  expect(manual.disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Auto/ }).checked).toBe(true);
});

test("a subject can be put before a picture, and without one submitting says what is missing", async () => {
  const { user } = renderStudio({ api: {}, path: "/#removeBackground" });
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
  const { user } = renderStudio({ api: { open } });
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
