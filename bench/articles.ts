// Measures the figures in our articles and writes them where the pages read them: node bench/articles.ts [pictures]
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { measureAnimation } from "./articles/animation.ts";
import { measureDrawing } from "./articles/drawing.ts";
import { measureGenerations } from "./articles/generations.ts";
import { measureLossless } from "./articles/lossless.ts";
import { measureLossy } from "./articles/lossy.ts";
import { loadPictures } from "./bytes/pictures.ts";
import { dataPacks, figuresPath } from "./packs.ts";

sharp.concurrency(1);
const folder = argv[2] ?? join(await dataPacks(undefined), "photos");
const pictures = await loadPictures(folder);
const photos = pictures.filter(({ kind }) => kind === "photo");
const screens = pictures.filter(({ kind }) => kind === "screen");

const figures: Record<string, string> = {
  photos: String(photos.length),
  screens: String(screens.length),
  ...(await measureLossy(photos)),
  ...(await measureLossless({ photos, screens })),
  ...(await measureGenerations(photos)),
  ...(await measureAnimation()),
  ...(await measureDrawing()),
};
const target = figuresPath("packages/web/app/content/measured.json", folder);
await writeFile(target, `${JSON.stringify(figures, undefined, 2)}\n`);
console.table(figures);
