import { readFileSync } from "node:fs";
import { expect, type Locator, type Route } from "@playwright/test";
import sharp from "sharp";
import { test } from "./journey.ts";
import { cutOff, jpeg, notAPicture, png, tiff } from "./pictures.ts";
import { bothWidths, expectBatchesStored, phone, studioOn } from "./studio-page.ts";

test("a guest compresses a picture, compares it by keyboard, and downloads it under its own name", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  const picture = await jpeg("harbour.jpg");
  const quality = page.getByRole("textbox", { name: "Quality" });
  await expect(quality).toHaveValue("");
  await studio.choose(picture);
  await expect(page.getByText("640 × 480")).toBeVisible();
  // Filled in with the first picture. Who empties it is asked for it.
  await expect(quality).toHaveValue("75");
  await quality.fill("");
  await studio.submit.click();
  await expect(studio.obstacle).toHaveText("Please enter a valid quality between 1 and 100.");
  await expect(quality).toBeFocused();
  await page.keyboard.type("60");
  await page.keyboard.press("Enter");
  // The live preview has a size and a slider too.
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  await expect(page.getByText(/\d+% smaller/).first()).toBeVisible();

  await page.setViewportSize(phone);
  const slider = page.getByRole("slider", { name: "Before and after", exact: true });
  await expect(slider).toHaveAttribute("aria-valuetext", "50% before");
  await slider.press("ArrowLeft");
  await expect(slider).toHaveAttribute("aria-valuetext", "49% before");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("harbour.jpg");
  const result = readFileSync(await file.path());
  expect(result.length).toBeLessThan(picture.buffer.length);
  expect(await sharp(result).metadata()).toMatchObject({ format: "jpeg", width: 640, height: 480 });
  await expect(studio.told).toContainText("harbour.jpg added.");
  await expect(studio.told).toContainText(/harbour.jpg finished, \d+% smaller\./);
});

test("a batch is told file by file, and one broken file does not spoil it", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(
    await png("a.png"),
    await png("a.png"),
    await tiff("scan.tif"),
    await cutOff("half.jpg"),
    notAPicture("text.jpg", "image/jpeg"),
    notAPicture("notes.txt", "text/plain"),
  );
  await expect(page.getByText("notes.txt is not an image we can process.").first()).toBeVisible();
  await expect(page.getByText("5 images").first()).toBeVisible();
  await expect(studio.judged).toContainText("text.jpg: This file is not an image we can read.");
  await expect(page.getByLabel("Source format")).toHaveValue("png");
  // Chromium cannot display TIFF: the server renders a preview of it.
  await expect(page.getByRole("button", { name: "Show scan.tif" }).locator("img")).toBeVisible();

  await studio.submit.click();
  await expect(studio.obstacle).toHaveText("Please select a target format for conversion.");
  await page.getByRole("radio", { name: "WebP" }).check();
  await page.setViewportSize(phone);
  await studio.submit.click();
  await expect(page.getByText("1 failed")).toBeVisible();
  await page.getByRole("button", { name: "Show 2 that need attention" }).press("Enter");
  await expect(studio.item("half.jpg")).toContainText("The image is damaged and cannot be read.");
  await expect(studio.item("text.jpg")).toContainText("Skipped");
  await page.getByRole("button", { name: "All 5", exact: true }).press("Enter");
  await expect(studio.items).toHaveCount(5);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all" }).press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tintype-convert-3-images-.*[.]zip$/);
  const zip = readFileSync(await file.path(), "latin1");
  for (const name of ["a.webp", "a (2).webp", "scan.webp", "report.json"]) expect(zip).toContain(name);
  expect(zip).toContain('"outcome": "failed"');
});

test("a page does what was chosen, typed and pressed before its script came", async ({ page }) => {
  const studio = studioOn(page);
  let letScriptCome = () => {};
  await page.route("**/assets/entry.client*", async (route) => {
    await new Promise<void>((resolve) => {
      letScriptCome = resolve;
    });
    await route.continue();
  });
  await page.goto("/pricing");
  await page.getByRole("radio", { name: "Yearly Save 10%" }).click();
  letScriptCome();
  await expect(page.getByText("a year").first()).toBeVisible();

  await studio.open();
  await page
    .getByLabel("Images", { exact: true })
    .first()
    .setInputFiles(await jpeg("harbour.jpg"));
  await page.getByRole("textbox", { name: "Quality" }).fill("61");
  const light = page.getByRole("button", { name: "Switch between light and dark" });
  await light.click();
  await light.click();
  await light.click();
  await studio.submit.click();
  letScriptCome();
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  await expect(studio.charged).toHaveText("1 credit · 4 of 5 left");
  await expect(page.getByRole("textbox", { name: "Quality" })).toHaveValue("61");
  await expect(page.locator("html")).toHaveAttribute("data-light", "darkroom");
});

for (const viewport of bothWidths)
  test(`the options make one move for the first picture, however late parts and preview come, ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const studio = studioOn(page);
    await studio.open();
    for (const [index, part] of ["workspace", "aim-field", "operation-field"].entries())
      await page.route(`**/assets/${part}*`, async (route) => {
        // Well apart, and well before the 3 s after which the page no longer waits for all parts.
        await new Promise((resolve) => setTimeout(resolve, 200 * (index + 1)));
        await route.continue();
      });
    // Wait for what else could shift the layout: the credits and the fonts.
    await expect(page.getByRole("banner").getByText("5 of 5 credits left")).toBeVisible();
    await expect(page.getByText("1 credit per image · 5 of 5 left")).toBeVisible();
    await page.evaluate(async () => void (await document.fonts.ready));
    const balanced = page.getByRole("button", { name: "Balanced" });
    await balanced.evaluate((button) => {
      const places: number[] = [];
      Object.assign(window, { places });
      const look = () => {
        const top = Math.round(button.getBoundingClientRect().top + window.scrollY);
        if (places.at(-1) !== top) places.push(top);
        requestAnimationFrame(look);
      };
      look();
    });
    await studio.choose(await jpeg("harbour.jpg"));
    await balanced.click();
    await expect(page.getByText("preview is free")).toBeVisible();
    await expect(page.getByRole("radio", { name: "File size" })).toBeVisible();
    expect(await page.evaluate(() => (window as unknown as { places: number[] }).places)).toHaveLength(2);
  });

test("a picture that was pasted before the script came is taken", async ({ page }) => {
  let letScriptCome = () => {};
  await page.route("**/assets/entry.client*", async (route) => {
    await new Promise<void>((resolve) => {
      letScriptCome = resolve;
    });
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  const { name, buffer } = await jpeg("pasted.jpg");
  await expect(studioOn(page).submit).toBeVisible();
  await page.evaluate(
    ({ name, base64 }) => {
      const data = new DataTransfer();
      data.items.add(
        new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type: "image/jpeg" }),
      );
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    },
    { name, base64: buffer.toString("base64") },
  );
  letScriptCome();
  await expect(page.getByText("pasted.jpg", { exact: true }).first()).toBeVisible();
});

test("the slider says that no quality is chosen, a press where it rests chooses, and a conversion rests where it works", async ({
  page,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg"));
  const slider = page.getByRole("slider", { name: "Smaller to finer" });
  const quality = page.getByRole("textbox", { name: "Quality" });
  await expect(slider).not.toHaveAttribute("aria-valuetext");
  await quality.fill("");
  await expect(slider).toHaveAttribute("aria-valuetext", "Not chosen");
  const { width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
  // At either end, the thumb's centre is half its width from the edge.
  await slider.click({ position: { x: height / 3 + (74 / 99) * (width - (2 * height) / 3), y: height / 2 } });
  await expect(quality).toHaveValue("75");
  await expect(page.getByRole("button", { name: "Balanced" })).toHaveAttribute("aria-pressed", "true");
  await expect(slider).not.toHaveAttribute("aria-valuetext");
  await page.getByRole("tab", { name: "Convert" }).click();
  await expect(quality).toHaveValue("");
  await expect(slider).toHaveValue("85");
});

for (const viewport of bothWidths)
  test(`a tool is chosen without the page moving, and a reload keeps it, ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const studio = studioOn(page);
    await studio.open();
    // Only the bytes that identify the format as HEIC.
    const buffer = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
    await studio.choose({ name: "phone.heic", mimeType: "image/heic", buffer });
    const scrolled = () => page.evaluate(() => window.scrollY);
    /** Playwright may scroll to what it clicks, so the scroll position is read during the click. */
    const clickInPlace = async (control: Locator) => {
      await page.evaluate(() => {
        const keep = () => document.body.setAttribute("data-clicked-at", String(window.scrollY));
        window.addEventListener("click", keep, { capture: true, once: true });
      });
      await control.click();
      return async () =>
        expect(await scrolled()).toBe(
          // A page that has become shorter ends sooner.
          await page.evaluate(() =>
            Math.min(
              Number(document.body.dataset["clickedAt"] ?? Number.NaN),
              document.documentElement.scrollHeight - window.innerHeight,
            ),
          ),
        );
    };
    await page.evaluate(() => window.scrollTo(0, 120));
    for (const name of ["Resize", "Upscale", "Remove BG", "Compress"]) {
      const expectPlace = await clickInPlace(page.getByRole("tab", { name }));
      await expect(page.getByRole("tab", { name })).toHaveAttribute("aria-selected", "true");
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await expectPlace();
    }
    await expect(page).toHaveURL(/#compress$/);
    await page.getByRole("button", { name: "Use JPEG" }).click();
    await expect(page.getByRole("radio", { name: "JPEG" })).toBeChecked();
    await expect(page.getByRole("radio", { name: "JPEG" })).toBeInViewport();
    await page.waitForFunction(() => sessionStorage.getItem("tintype.unsent") !== null);
    await page.reload();
    await expect(page.getByRole("tab", { name: "Convert" })).toHaveAttribute("aria-selected", "true");
    // The unsent picture is restored. Samples are shown when the plate is empty.
    await page.getByRole("button", { name: "Remove phone.heic" }).click();
    await page.getByRole("button", { name: "Enlarge a photo" }).click();
    await expect(page.getByRole("tab", { name: "Upscale" })).toHaveAttribute("aria-selected", "true");
    // The studio has taken the window again.
    await expect.poll(scrolled).toBe(0);
  });

test("a file that is no picture is named where it is seen, also where it is the only one", async ({ page }) => {
  const studio = studioOn(page);
  for (const viewport of bothWidths) {
    await page.setViewportSize(viewport);
    await studio.open();
    await page.getByLabel("Images", { exact: true }).first().setInputFiles(notAPicture("notes.txt", "text/plain"));
    const told = page.getByRole("listitem").filter({ hasText: "notes.txt is not an image we can process." });
    await expect(told).toBeInViewport();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(told).toBeHidden();
  }
});

test("ten pictures bring arrows that scroll by 100 px, and each can be taken away by keyboard", async ({ page }) => {
  const studio = studioOn(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await studio.open();
  const one = await png("p.png", 40, 30);
  await studio.choose(...Array.from({ length: 9 }, (_, index) => ({ ...one, name: `p${index}.png` })));
  // The announcement may come before the pictures and the control to add more.
  await expect(page.getByRole("button", { name: "Remove p8.png" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Scroll on" })).toHaveCount(0);
  await studio.choose({ ...one, name: "p9.png" });
  const strip = page.getByRole("list", { name: "Images" });
  await page.getByRole("button", { name: "Scroll on" }).click();
  await expect.poll(() => strip.evaluate(({ scrollLeft }) => scrollLeft)).toBe(100);

  await page.getByRole("button", { name: "Remove p0.png" }).press("Enter");
  await expect(page.getByRole("button", { name: "Remove p1.png" })).toBeFocused();
  await page.getByRole("button", { name: "Remove all" }).click();
  await expect(page.getByText("Drop images here")).toBeVisible();
});

test("pictures come by drop and by paste, and a drop beside the studio does not leave the page", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  const bytes = [...(await png("x.png", 30, 20)).buffer];
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(content)], "dropped.png", { type: "image/png" }));
    return data;
  }, bytes);
  // Browsers fire the event repeatedly, so a page that has just loaded receives it too.
  await expect(async () => {
    await page.dispatchEvent("footer", "dragover", { dataTransfer: transfer });
    await expect(page.getByText("Drop to add")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.dispatchEvent("footer", "drop", { dataTransfer: transfer });
  await expect(page.getByText("dropped.png").first()).toBeVisible();
  await page.evaluate((data) => window.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data })), transfer);
  await expect(page.getByText("2 images").first()).toBeVisible();
});

test("a batch goes on through a broken connection, and is found again after a reload", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#resize");
  await page.route("**/api/jobs/*/events", (route) => route.abort());
  await studio.choose(await png("one.png"), await png("two.png"));
  await page.getByLabel("Width").fill("100");
  await studio.submit.click();
  await expect(page.getByText("The connection was lost. Reconnecting...")).toBeVisible();
  await expectBatchesStored(page, 1);
  await page.setViewportSize(phone);
  await page.reload();
  await expect(page.getByText("The connection was lost. Reconnecting...")).toBeVisible();
  // Reload before events get through again, because results fetched before would belong to the earlier page.
  await page.reload();
  await page.unroute("**/api/jobs/*/events");
  await expect(page.getByText("2 images done").first()).toBeVisible();
  await expect(page.getByRole("tab", { selected: true })).toHaveText("Resize");
  // The originals were kept with the batch.
  await expect(page.getByRole("button", { name: "Show one.png" }).first().locator("img")).toBeVisible();
});

test("cancelling ends the job on the server, and the credit comes back", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open("#upscale");
  const accepted = page.waitForResponse((response) => response.status() === 202);
  await studio.choose(await png("large.png", 900, 700));
  await studio.submit.click();
  const { id } = await (await accepted).json();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  await expect.poll(async () => (await (await page.request.get(`/api/jobs/${id}`)).json()).state).toBe("cancelled");
  await expect.poll(async () => (await (await page.request.get("/api/config")).json()).usage.used).toBe(0);
  // The button repeats its own run, whatever tab is selected.
  await page.getByRole("tab", { name: "Compress" }).click();
  const again = page.waitForRequest((request) => request.method() === "POST" && /upscale/.test(request.url()));
  await page.getByRole("button", { name: "Run the remaining 1" }).click();
  await again;
});

test("a full server is asked again by itself, after the time it names", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  const keys: unknown[] = [];
  await page.route("**/api/compress/", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 2) return route.continue();
    await route.fulfill({
      status: 503,
      headers: { "content-type": "application/problem+json", "retry-after": "1" },
      body: JSON.stringify({
        type: "/api/docs#error-full",
        title: "Busy",
        status: 503,
        detail: "All our machines are busy. Please try again shortly.",
      }),
    });
  });
  await studio.choose(await jpeg("a.jpg"));
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(
    page.getByText("All our machines are busy. Please try again shortly. Trying again in 1 s.").first(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  await expect(studio.told.getByText(/^All our machines are busy/)).toHaveCount(1);
});

test("without the network a part that has not come yet is waited for, and another page does not take the pictures away", async ({
  context,
}) => {
  // Not the fixture's page, which fails on errors: the router reports failed chunks as errors.
  const page = await context.newPage();
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("harbour.jpg"));
  await page.getByRole("button", { name: "Balanced" }).click();
  await expect(page.getByText("1 credit · 5 of 5 left")).toBeVisible();
  const cropAndRotate = page.getByRole("button", { name: "Crop and rotate" });
  await expect(cropAndRotate).toBeVisible();
  await context.setOffline(true);
  // The notice pushes the button down.
  const notice = page.getByText(/^You are offline[.] You can add images/);
  await expect(notice).toBeVisible();
  // Its script is loaded on the first click.
  await cropAndRotate.click();
  await expect(page.getByRole("region", { name: "Crop and rotate" })).toBeAttached();
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Pricing" }).first().click();
  await expect.poll(() => questions).toEqual(["beforeunload"]);
  await expect(page.getByText("harbour.jpg", { exact: true })).toBeVisible();
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "About" }).first().click();
  await page.getByRole("link", { name: "Tintype, home" }).first().click();
  await studio.submit.click();
  await expect(studio.charged).toHaveText("1 credit · 4 of 5 left");
});

test("after the server was updated an open page leads to a reload, which keeps the pictures", async ({ context }) => {
  // Not the fixture's page, which fails on errors: the router reports failed chunks as errors.
  const page = await context.newPage();
  const studio = studioOn(page);
  await studio.open("#convert");
  await studio.choose(await jpeg("harbour.jpg"), await png("quay.png"));
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  // Another build has different asset files.
  const gone = (route: Route) => route.fulfill({ status: 404 });
  await context.route("**/assets/**", gone);
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  const notice = page.getByText("Tintype has been updated. Please reload the page to continue. Your images stay.");

  // The script of another page.
  await page.getByRole("link", { name: "Pricing" }).first().click();
  await expect(notice).toBeVisible();
  await expect(page).toHaveURL("/#convert");
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  // A chunk of this page.
  await page.getByRole("button", { name: "Crop and rotate" }).click();
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();

  await context.unroute("**/assets/**", gone);
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Convert" })).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL("/#convert");
  await page.getByRole("link", { name: "Pricing" }).first().click();
  await expect(page).toHaveURL("/pricing");
  await page.goBack();
  await expect(page.getByText("2 images", { exact: true })).toBeVisible();
  expect(questions).toEqual([]);
});

test("a submit by keyboard keeps the focus, and a very tall picture has its tags on their sides", async ({ page }) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await png("tower.png", 10, 2000));
  await page.getByRole("button", { name: "Balanced" }).click();
  // From a field, which is disabled while the run goes.
  await page.getByRole("textbox", { name: "Quality" }).press("Enter");
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  await expect(studio.submit).toBeFocused();
  // The live preview has tags too.
  await expect(page.getByRole("region", { name: "Live preview" })).toBeHidden();
  await expect(page.getByRole("slider", { name: "Before and after", exact: true })).toBeVisible();
  const leftOf = (tag: string) =>
    page
      .getByRole("region", { name: "Studio" })
      .getByText(tag, { exact: true })
      .evaluate((element) => element.getBoundingClientRect().left);
  await expect.poll(async () => (await leftOf("After")) - (await leftOf("Before"))).toBeGreaterThan(0);
});
