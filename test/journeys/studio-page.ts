import { expect, type Locator, type Page } from "@playwright/test";
import type { NamedPicture } from "./pictures.ts";

export const phone = { width: 390, height: 844 };
export const bothWidths = [{ width: 1440, height: 900 }, phone];

/** The studio as a person finds it: by what things are called. */
export type StudioPage = {
  open(hash?: string): Promise<void>;
  /** Until they lie on the page, which makes room for the first one: a click meanwhile could miss its button. */
  choose(...pictures: NamedPicture[]): Promise<void>;
  submit: Locator;
  obstacle: Locator;
  results: Locator;
  /** Results that the browser keeps and that do not stand on the page. */
  recent: Locator;
  /** Pictures that cannot go along, and the next step. */
  judged: Locator;
  /** The sentences for a screen reader. */
  told: Locator;
};

/** Where something lies once it rests: two reads, a few frames apart, agree. */
export async function restingBox(one: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  for (let last = ""; ; ) {
    const box = await one.boundingBox();
    const read = JSON.stringify(box);
    if (box && read === last) return box;
    last = read;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function studioOn(page: Page): StudioPage {
  const studio = page.getByRole("region", { name: "Studio" });
  const judged = studio.getByRole("status", { name: "Cannot be processed" });
  const submit = studio.getByRole("button", { name: /^(Submit|Processing|Downloading)/ });
  return {
    async open(hash = "") {
      await page.goto(`/${hash}`);
      await page.waitForFunction(() => document.readyState === "complete");
    },
    async choose(...pictures) {
      await studio.getByLabel("Images", { exact: true }).first().setInputFiles(pictures);
      await expect(page.locator("[data-workspace]").or(judged).first()).toBeVisible();
    },
    submit,
    obstacle: studio.getByRole("alert"),
    results: studio.getByRole("list", { name: "Results", exact: true }),
    recent: studio.getByRole("list", { name: "Recent results" }),
    judged,
    told: studio.getByRole("log"),
  };
}
