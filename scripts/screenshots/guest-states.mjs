// The states of the studio and of the public pages.

import { heicFile } from "../../packages/imaging/src/testing/heic-file.ts";
import { holdStream } from "../../test/journeys/held-stream.ts";
import { jpeg } from "../../test/journeys/pictures.ts";
import { choose, compress, picker, settle, submit } from "./page-steps.mjs";

/** States of the tools and of the pages around them, for a guest. */
export const guestStates = [
  { name: "home-menu", path: "/", prepare: openMenu },
  { name: "login", path: "/", prepare: openLogin },
  { name: "login-refused", path: "/", prepare: failLogin },
  { name: "signup", path: "/", prepare: openSignUp },
  ...["resize", "upscale", "removeBackground", "convert"].map((tool) => ({
    name: `tool-${tool}`,
    path: `/#${tool}`,
    prepare: settle,
  })),
  { name: "obstacle", path: "/", prepare: meetObstacle },
  { name: "held-over", path: "/", prepare: holdOver },
  { name: "judged", path: "/#upscale", prepare: judgeBatch },
  { name: "added", path: "/#convert", prepare: (page) => choose(page, ["samples/still-life.jpg"]) },
  { name: "target-size", path: "/", prepare: aimForSize },
  { name: "enlarging", path: "/#resize", prepare: enlarge },
  { name: "heic", path: "/", prepare: addHeic },
  { name: "cut-out-options", path: "/#removeBackground", prepare: chooseBackground },
  { name: "preview", path: "/", prepare: (page) => look(page) },
  { name: "preview-side", path: "/", prepare: (page) => look(page, "Side by side") },
  { name: "preview-difference", path: "/", prepare: (page) => look(page, "Difference") },
  { name: "preview-failed", path: "/", prepare: failLook },
  { name: "frame", path: "/#resize", prepare: (page) => frame(page, ["samples/still-life.jpg"]) },
  {
    name: "frame-many",
    path: "/#resize",
    prepare: (page) => frame(page, ["samples/still-life.jpg", "samples/brush.jpg"]),
  },
  { name: "own-options", path: "/", prepare: (page) => chooseOwn(page) },
  { name: "own-options-set", path: "/", prepare: (page) => chooseOwn(page, "Use for this image") },
  { name: "address", path: "/", prepare: addAddress },
  { name: "steps", path: "/", prepare: addSteps },
  { name: "recipes", path: "/", prepare: openRecipes },
  { name: "recipe-save", path: "/", prepare: saveRecipe },
  { name: "waiting", path: "/#resize", prepare: waitInLine },
  { name: "interrupted", path: "/#resize", prepare: loseConnection },
  { name: "offline", path: "/#resize", prepare: goOffline },
  { name: "studio", path: "/", prepare: useStudio },
  { name: "cutout", path: "/", prepare: (page) => trySample(page, "Remove a background") },
  { name: "cutout-editor", path: "/#removeBackground", prepare: editCutOut },
  { name: "cutout-brush", path: "/#removeBackground", prepare: mendCutOut },
  { name: "cutout-expired", path: "/#removeBackground", prepare: openTooLate },
  { name: "batch", path: "/", prepare: useBatch },
  { name: "names", path: "/", prepare: nameResults },
  { name: "many", path: "/#convert", prepare: addMany },
  { name: "recalled", path: "/", prepare: recallResult },
  { name: "refused", path: "/", prepare: refuseBatch },
  { name: "removed", path: "/", prepare: removeAll },
  { name: "recent", path: "/", prepare: showRecent },
  { name: "out-of-credits-guest", path: "/", prepare: exceedAllowance },
  { name: "contact-failed", path: "/contact", prepare: failMessage },
  { name: "set-password", path: "/account/set-password?token=x" },
  { name: "offline-page", path: "/offline.html", isWhole: true },
];

async function openMenu(page) {
  const menu = page.getByRole("button", { name: "Open menu" });
  if (await menu.isVisible()) await menu.click();
}

async function openLogin(page) {
  await page.getByRole("button", { name: "Get Started" }).first().click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(300);
}

async function openSignUp(page) {
  await openLogin(page);
  await page.getByRole("dialog").getByRole("tab", { name: "Sign Up" }).click();
  await settle(page);
}

async function meetObstacle(page) {
  await submit(page);
  await page.locator("#studio-obstacle p").waitFor();
  await settle(page);
}

/** One picture that is too large for the factor, one file that is not a picture, and one valid picture. */
async function judgeBatch(page) {
  await choose(page, ["samples/still-life.jpg", "samples/glasses-small.jpg"]);
  await picker(page).setInputFiles([{ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") }]);
  await page.getByRole("radio", { name: "8×" }).check();
  await page.getByRole("status", { name: "Cannot be processed" }).waitFor();
  await settle(page);
}

/** A batch that is queued behind others. */
async function waitInLine(page) {
  await choose(page, ["samples/still-life.jpg", "samples/brush.jpg"]);
  await page.getByLabel("Width").fill("800");
  const files = ["still-life.jpg", "brush.jpg"].map((name, index) => ({
    index,
    name,
    state: "waiting",
    progress: 0,
    notes: [],
    delivered: false,
  }));
  const job = { id: "j", operation: "resize", state: "queued", progress: 0, position: 3, files };
  const event = { type: "snapshot", job: { ...job, created_at: new Date().toISOString() } };
  const stream = await holdStream(event);
  page.once("close", () => stream.close());
  await page.route("**/api/jobs/*/events", (route) => route.continue({ url: stream.url }));
  await submit(page);
  await page
    .getByText(/ahead of yours/)
    .first()
    .waitFor();
  await settle(page);
}

/** The event stream of a batch fails at each attempt; `before` runs before the first. */
async function breakEvents(page, before, words) {
  await choose(page, ["samples/still-life.jpg", "samples/brush.jpg"]);
  await page.getByLabel("Width").fill("800");
  await page.route("**/api/jobs/*/events", async (route) => {
    await before();
    await route.abort();
  });
  await submit(page);
  await page.getByText(words).first().waitFor();
  await settle(page);
}

function loseConnection(page) {
  return breakEvents(page, async () => {}, /Reconnecting/);
}

function goOffline(page) {
  return breakEvents(page, () => page.context().setOffline(true), /You are offline/);
}

/** Compresses one of our samples, and shows before and after. */
async function useStudio(page) {
  await trySample(page, "Compress a photo");
}

async function trySample(page, wish) {
  await page.getByRole("button", { name: wish }).click();
  await page.getByText("Already done, no credits used").first().waitFor();
  await submit(page);
  await page
    .getByRole("button", { name: /^Download/ })
    .first()
    .waitFor({ timeout: 60_000 });
  await settle(page);
}

/** Compresses as many pictures as a guest may, and shows the first beside its original. */
async function useBatch(page) {
  const files = ["samples/brush.jpg", "samples/letter.png", "weave-1280.webp", "glass-1280.webp", "curve-1280.webp"];
  await choose(page, files);
  await compress(page);
}

/** The same again: the existing result is shown, and nothing is charged. */
async function recallResult(page) {
  await choose(page, ["samples/brush.jpg"]);
  await compress(page);
  await submit(page);
  await page.getByRole("button", { name: /^Run again/ }).waitFor();
  await settle(page);
}

async function refuseBatch(page) {
  await choose(page, ["samples/brush.jpg"]);
  await page.route("**/api/compress/", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({ detail: "Something went wrong on our side. Please try again.", requestId: "req_7f3k" }),
    }),
  );
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page.locator("#studio-obstacle p").waitFor();
  await settle(page);
}

async function removeAll(page) {
  await choose(page, ["samples/brush.jpg", "samples/letter.png"]);
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await settle(page);
}

async function showRecent(page) {
  await choose(page, ["samples/brush.jpg", "samples/letter.png"]);
  await compress(page);
  await page.waitForTimeout(1500);
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("heading", { name: "Recent results" }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(600);
}

async function exceedAllowance(page) {
  const { length } = await choose(
    page,
    [..."123456"].map(() => "samples/glasses-small.jpg"),
  );
  if (length !== 6) throw new Error("A guest's batch of six is wanted");
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("status").filter({ hasText: "This needs 6 credits" }).waitFor();
  await settle(page);
}

async function failLogin(page) {
  await openLogin(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("nobody@example.com");
  await dialog.getByLabel("Password").fill("not this one");
  await dialog.getByRole("button", { name: "Log In", exact: true }).click();
  await dialog.getByText("Wrong email or password.").waitFor();
  await settle(page);
}

async function failMessage(page) {
  await page.route("**/api/contact", (route) => route.fulfill({ status: 503, body: "" }));
  const form = page.getByRole("form", { name: "Contact" });
  await form.getByLabel("Name").fill("Ann");
  await form.getByLabel("Email").fill("ann@example.com");
  await form.getByLabel("Message").fill("A question.");
  await form.getByRole("button", { name: /^Send/ }).click();
  await page.waitForTimeout(1000);
  await settle(page);
}

/** Files dragged over the page, not dropped yet. */
async function holdOver(page) {
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x"], "x.png", { type: "image/png" }));
    return transfer;
  });
  await page.dispatchEvent("footer", "dragover", { dataTransfer: data });
  await page.getByText("Drop to add").waitFor();
}

async function aimForSize(page) {
  await choose(page, ["samples/still-life.jpg"]);
  await page.getByRole("radio", { name: "File size" }).check();
  await page.getByRole("button", { name: "200 KB" }).click();
  await settle(page);
}

async function enlarge(page) {
  await choose(page, ["samples/glasses-small.jpg"]);
  await page.getByLabel("Width").fill("2000");
  await settle(page);
}

async function addHeic(page) {
  await picker(page).setInputFiles([
    { name: "IMG_0412.HEIC", mimeType: "image/heic", buffer: Buffer.from(heicFile()) },
  ]);
  await page.getByRole("button", { name: /JPEG/ }).first().waitFor();
  await page.waitForTimeout(1500);
  await settle(page);
}

async function chooseBackground(page) {
  await choose(page, ["samples/brush.jpg"]);
  await page.getByRole("radio", { name: "Colour" }).check();
  await page.getByText("More options").click();
  await settle(page);
}

async function look(page, mode) {
  await choose(page, ["samples/still-life.jpg"]);
  await page.getByRole("button", { name: "Small" }).click();
  await page.getByText("preview is free").waitFor();
  if (mode) await page.getByRole("button", { name: mode }).click();
  await settle(page);
}

async function failLook(page) {
  await page.route("**/api/preview", (route) => route.abort());
  await choose(page, ["samples/still-life.jpg"]);
  await page.getByRole("button", { name: "Small" }).click();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await settle(page);
}

async function frame(page, files) {
  await choose(page, files);
  await page.getByRole("button", { name: "Crop and rotate" }).click();
  await page.getByRole("button", { name: "4:5" }).click();
  await settle(page);
}

async function addSteps(page) {
  await choose(page, ["samples/still-life.jpg"]);
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Add a step" }).click();
  await page.getByRole("region", { name: "Steps" }).waitFor();
  await settle(page);
}

async function openRecipes(page) {
  await page.getByRole("button", { name: "Recipes" }).click();
  await page.getByRole("dialog").waitFor();
  await settle(page);
}

async function saveRecipe(page) {
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Save or share" }).click();
  await page.getByRole("dialog").waitFor();
  await settle(page);
}

async function editCutOut(page) {
  // The samples have prepared results, without a job that could be edited.
  await choose(page, ["bounce-720.webp"]);
  await submit(page);
  await page.getByRole("button", { name: "Edit the cut-out" }).click({ timeout: 120_000 });
  await page.getByRole("button", { name: "Apply" }).waitFor({ timeout: 60_000 });
  await page.getByRole("group", { name: "Edit the cut-out" }).getByRole("radio", { name: "Colour" }).check();
  await settle(page);
}

async function mendCutOut(page) {
  await editCutOut(page);
  await page.getByRole("button", { name: "Erase" }).click();
  await settle(page);
}

async function openTooLate(page) {
  await page.route("**/api/jobs/*/files/*/edit", (route) => route.fulfill({ status: 410, body: "{}" }));
  // The samples have prepared results, without a job that could be edited.
  await choose(page, ["bounce-720.webp"]);
  await submit(page);
  await page.getByRole("button", { name: "Edit the cut-out" }).click({ timeout: 120_000 });
  await page.waitForTimeout(2000);
  await settle(page);
}

async function nameResults(page) {
  await choose(page, ["samples/brush.jpg", "samples/glasses-small.jpg"]);
  await compress(page);
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("File names").fill("{name}-{width}w");
  await settle(page);
}

async function addMany(page) {
  const one = await jpeg("one.jpg", 90, 60);
  await picker(page).setInputFiles(
    Array.from({ length: 40 }, (_, index) => ({ ...one, name: `a picture ${index + 1}.jpg` })),
  );
  await page.getByRole("button", { name: "Remove a picture 40.jpg" }).waitFor();
  await settle(page);
}

async function chooseOwn(page, button) {
  await choose(page, ["samples/still-life.jpg", "samples/brush.jpg"]);
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.getByRole("button", { name: "Custom options" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Small" }).click();
  if (button) await page.getByRole("button", { name: button }).click();
  await settle(page);
}

/** One URL that is still being fetched, and one that failed. */
async function addAddress(page) {
  await page.route("**/api/upload", (route) =>
    route.request().postData()?.includes("gone") ? route.continue() : undefined,
  );
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "https://pictures.invalid/harbour.jpg https://pictures.invalid/gone.jpg");
    window.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data }));
  });
  await page.getByRole("status", { name: "Cannot be processed" }).waitFor();
  await settle(page);
}
