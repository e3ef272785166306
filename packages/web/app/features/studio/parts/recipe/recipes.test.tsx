// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { Api } from "@tintype/contract/api";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../../../ui/testing/modal-dialogs.ts";
import { renderPart, renderStudio } from "../../testing/render-studio.tsx";
import { writeLink } from "./recipe-link.ts";
import { SharedRecipe } from "./shared-recipe.tsx";

fillInModalDialogs();
afterEach(cleanup);

const steps = () => within(screen.getByRole("region", { name: "Steps" }));
const config = {
  tier: "hobby",
  limits: { filesPerBatch: 20, megabytesPerFile: 25, megapixelsIn: 50, megapixelsOut: 50 },
  usage: { used: 0, limit: 100 },
};

test("a preset is taken from the book, its steps are shown in the form one by one, and each can be removed", async () => {
  const { user } = await renderStudio({ api: {} });
  await user.click(screen.getByRole("button", { name: "Recipes", hidden: true }));
  await user.click(await screen.findByRole("button", { name: "Use Avatar" }));
  await waitFor(() => expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Convert"));
  await user.click(await screen.findByRole("button", { name: /^1 ?Resize: 400 × 400 px/ }));
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Resize");
  expect((await screen.findByLabelText<HTMLInputElement>("Width")).value).toBe("400");
  expect(steps().getByRole("button", { name: /^2 ?Convert to WebP, quality 80, at most 50 KB/ })).toBeDefined();
  await user.click(steps().getByRole("button", { name: /^Remove step 2/ }));
  expect(screen.queryByRole("region", { name: "Steps" })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Width").value).toBe("400");
});

test("a step is added behind the form's, once that can be run", async () => {
  const { user } = await renderStudio({ api: {}, path: "/#resize" });
  await user.click(screen.getByRole("button", { name: "Add a step", hidden: true }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(""));
  expect(screen.queryByRole("region", { name: "Steps" })).toBeNull();
  await user.type(await screen.findByLabelText("Width"), "640");
  await user.click(screen.getByRole("button", { name: "Add a step", hidden: true }));
  expect(await screen.findByRole("button", { name: /^1 ?Resize: 640 px wide/ })).toBeDefined();
  expect(screen.getByRole("button", { name: /^2 ?Convert/, current: "step" })).toBeDefined();
});

test("a shared link puts its steps into the studio and leaves the address", async () => {
  const link = new URL(writeLink([{ resize: { width: 320 } }, { convert: { target_format: "webp" } }], "http://x"));
  const { router } = await renderStudio({ api: {}, path: `/${link.hash}` });
  expect(await screen.findByRole("button", { name: /^1 ?Resize: 320 px wide/ })).toBeDefined();
  await waitFor(() => expect(router.state.location.hash).toBe(""));
});

test("a shared recipe is a page with its name, what it does, and the way to try it", async () => {
  const steps = [{ resize: { width: 320 } }, { convert: { target_format: "webp" } }];
  const { hash } = new URL(writeLink(steps, "http://x", "Shop photos"));
  await renderPart(
    <MemoryRouter initialEntries={[`/recipe${hash}`]}>
      <SharedRecipe />
    </MemoryRouter>,
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Shop photos");
  const listed = within(screen.getByRole("list", { name: "Steps of the recipe" })).getAllByRole("listitem");
  expect(listed.map(({ textContent }) => textContent)).toEqual(["1Resize: 320 px wide", "2Convert to WebP"]);
  expect(screen.getByRole("button", { name: "Try with your image" })).toBeDefined();
});

test("a link that holds no recipe is said to be none", async () => {
  const { said, router } = await renderStudio({ api: {}, path: "/#recipe=abc" });
  await waitFor(() => expect(said).toEqual(["This link does not contain a valid recipe."]));
  await waitFor(() => expect(router.state.location.hash).toBe(""));
});

test("a person keeps the steps under a name; the name of an own recipe replaces it", async () => {
  const asked: unknown[] = [];
  const quoted: unknown[] = [];
  const own = { id: "rec_1", name: "Shop", steps: [{ resize: { width: 100 } }], preset: false, credits_per_file: 1 };
  const call = ((address: string, options: { json?: unknown; params?: unknown }): Promise<unknown> => {
    if (address === "GET /config") return Promise.resolve(config);
    if (address === "POST /quote") {
      quoted.push(options.json);
      return Promise.resolve({ losses: [{ index: 0, detail: "It loses its alpha." }] });
    }
    if (address === "GET /recipes") return Promise.resolve({ recipes: [own] });
    asked.push([address, options.params, options.json]);
    return Promise.resolve({ ...own, ...(options.json as object) });
  }) as Api["call"]; // only these endpoints are called
  const { user } = await renderStudio({ api: { call }, path: "/#resize", caller: { id: "p", tier: "hobby" } });
  // A PNG's header is enough, since jsdom draws nothing.
  const header = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAAAAAAAAAAAAElEQVQ=", "base64");
  await user.upload(screen.getByLabelText("Images"), new File([header], "one.png", { type: "image/png" }));
  await user.type(await screen.findByLabelText("Width"), "640");
  await user.click(screen.getByRole("button", { name: "Save or share", hidden: true }));
  const dialog = within(await screen.findByRole("dialog", { name: "Save or share" }));
  expect((await dialog.findByLabelText<HTMLInputElement>("Link")).value).toContain("/recipe#recipe=");
  expect(await dialog.findByText("It loses its alpha.")).toBeDefined();
  // Its header shows a single frame, so the quote gets `frames: 1`.
  expect(quoted).toContainEqual({
    recipe: { steps: [{ resize: { width: 640 } }] },
    files: [{ width: 4, height: 3, size_bytes: header.length, format: "png", frames: 1 }],
  });
  await user.type(await dialog.findByLabelText("Name"), "shop");
  await user.click(await dialog.findByRole("button", { name: "Replace “Shop”" }));
  expect(await dialog.findByText(/^Saved as “shop”/)).toBeDefined();
  expect(asked).toEqual([
    ["PUT /recipes/{id}", { id: "rec_1" }, { name: "shop", steps: [{ resize: { width: 640 } }] }],
  ]);
});
