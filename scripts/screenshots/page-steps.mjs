// Steps that several states share.
import { join } from "node:path";

const pictures = join(import.meta.dirname, "../../packages/web/app/pictures");

export function picker(page) {
  return page.getByLabel("Images", { exact: true }).first();
}

export function submit(page) {
  return page.getByRole("button", { name: "Submit" }).click();
}

export async function choose(page, files) {
  await picker(page).setInputFiles(files.map((file) => join(pictures, file)));
  await page
    .getByRole("button", { name: /^Remove/ })
    .first()
    .waitFor();
  return files;
}

export async function compress(page) {
  await page.getByLabel("Quality").fill("65");
  await submit(page);
  await page
    .getByRole("button", { name: /^Download( all)?$/ })
    .first()
    .waitFor({ timeout: 120_000 });
  await settle(page);
}

export async function settle(page) {
  await page.mouse.move(5, 5);
  await page.waitForTimeout(600);
}

/** Lazy images load when they are scrolled into view. */
export async function scrollThrough(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      window.scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 60));
    }
    window.scrollTo(0, 0);
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
}

export async function openDialog(page, name) {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").waitFor();
  await settle(page);
}
