import { type Download, expect, type Locator, type Page } from "@playwright/test";
import type { NamedPicture } from "./pictures.ts";

export const phone = { width: 390, height: 844 };
export const bothWidths = [{ width: 1440, height: 900 }, phone];

/** The studio's page object. It locates elements by accessible name, as a person would. */
export type StudioPage = {
  open(hash?: string): Promise<void>;
  /** Resolves once the pictures are on the page. The first one shifts the layout, so an earlier click could miss its button. */
  choose(...pictures: NamedPicture[]): Promise<void>;
  submit: Locator;
  obstacle: Locator;
  /** What a submit would cost, and the credits left. */
  cost: Locator;
  /** What the last batch cost, and the credits left. */
  charged: Locator;
  /** The pictures in the grid, which must be open. */
  items: Locator;
  item(name: string): Locator;
  openGrid(): Promise<void>;
  /** Downloads one of several results. */
  download(name: string): Promise<Download>;
  /** Opens the results stored in the browser: a list of batches. */
  openRecent(): Promise<void>;
  recent: Locator;
  /** Pictures that cannot be processed, and the next step. */
  judged: Locator;
  /** Announcements for screen readers. */
  told: Locator;
};

/** The bounding box of an element that has stopped moving: two reads, a few frames apart, are equal. */
export async function restingBox(one: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  for (let last = ""; ; ) {
    const box = await one.boundingBox();
    const read = JSON.stringify(box);
    if (box && read === last) return box;
    last = read;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The number of rows in the browser's storage: 0 if the page has not created its database yet, which this must not create. */
export const storedOn = (page: Page, table: "results" | "batches"): Promise<number> =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("tintype");
        opening.onerror = reject;
        opening.onupgradeneeded = () => {
          opening.transaction?.abort();
          resolve(0);
        };
        opening.onsuccess = () => {
          const counting = opening.result.transaction(name).objectStore(name).count();
          counting.onsuccess = () => resolve(counting.result);
          counting.onerror = reject;
        };
      }),
    table,
  );

/** Waits until the browser stores this many running batches. A reload before that would lose their originals and options. */
export const expectBatchesStored = (page: Page, count: number): Promise<void> =>
  expect.poll(() => storedOn(page, "batches")).toBe(count);

const credits = /(credits?|Up to date) · .* left$/;

export function studioOn(page: Page): StudioPage {
  const studio = page.getByRole("region", { name: "Studio" });
  const judged = studio.getByRole("status", { name: "Cannot be processed" });
  const submit = studio.getByRole("button", { name: /^(Submit|Processing|Downloading)/ });
  const items = studio.getByRole("listbox", { name: "Images" }).getByRole("option");
  const openGrid = async () => {
    const grid = studio.getByRole("button", { name: /^Grid/ });
    if ((await grid.getAttribute("aria-pressed")) === "false") await grid.press("Enter");
  };
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
    cost: studio.locator("form p").filter({ hasText: credits }),
    charged: studio.locator("p:not(form p)").filter({ hasText: credits }),
    items,
    item: (name) => items.filter({ hasText: name }),
    openGrid,
    async download(name) {
      await openGrid();
      await items.filter({ hasText: name }).click();
      const download = page.waitForEvent("download");
      await studio.getByRole("button", { name: "Download", exact: true }).last().press("Enter");
      await studio.getByRole("button", { name: "Select none" }).press("Enter");
      return download;
    },
    async openRecent() {
      await studio.getByRole("button", { name: "Recent results" }).press("Enter");
    },
    recent: studio.getByRole("list", { name: "Recent results" }),
    judged,
    told: studio.getByRole("log"),
  };
}
