import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import sharp, { type Sharp } from "sharp";
import { bmpFile } from "../packages/codecs/src/testing/bmp-file.ts";
import { draw, drawPhoto, drawScreen } from "../packages/codecs/src/testing/drawn-pictures.ts";

/** Change it together with the pictures below, so that an older set on this machine is ignored. */
const version = 2;
const drawnFolder = join(tmpdir(), `tintype-drawn-packs-${version}`);

/**
 * The folder of the data packs that bench/README.md describes: `given`, else `TINTYPE_DATA_PACKS`, else a small set
 * of our own, drawn once into the temporary folder. Figures of the small set compare versions of the code; the
 * figures in docs/ are those of the real pictures.
 */
export async function dataPacks(given: string | undefined): Promise<string> {
  const chosen = given ?? env["TINTYPE_DATA_PACKS"];
  if (chosen) return chosen;
  if (!existsSync(drawnFolder)) await drawPacks(drawnFolder);
  console.error(`No data packs were named (bench/README.md): measuring pictures of our own making in ${drawnFolder}\n`);
  return drawnFolder;
}

/** The repository file that a bench writes; figures of drawn pictures go into their folder instead. */
export function figuresPath(path: string, pictures: string): string {
  const isDrawn = pictures.startsWith(drawnFolder);
  const place = isDrawn ? join(drawnFolder, basename(path)) : fileURLToPath(new URL(`../${path}`, import.meta.url));
  console.error(`The figures go to ${place}`);
  return place;
}

/** Created atomically, even if two benches start at once. */
async function drawPacks(folder: string): Promise<void> {
  const part = `${folder}-${process.pid}`;
  const at = async (path: string) => {
    const place = join(part, path);
    await mkdir(dirname(place), { recursive: true });
    return place;
  };
  const save = async (path: string, image: Sharp) => void (await image.toFile(await at(path)));
  await drawPhotos(save);
  await drawPairs(save, async (path, text) => writeFile(await at(path), text));
  await drawUpscaling(save);
  await drawFormats(save, async (path, bytes) => writeFile(await at(path), bytes));
  await rename(part, folder).catch(() => rm(part, { recursive: true }));
}

type Save = (path: string, image: Sharp) => Promise<void>;
type Write = (path: string, content: string | Uint8Array) => Promise<void>;
type Size = { width: number; height: number };

const picture = ({ data, width, height, channels }: ReturnType<typeof drawPhoto>) =>
  sharp(data, { raw: { width, height, channels } });
/** A drawn photograph, enlarged: drawing every pixel would take as long as a bench. */
const camera = ({ width, height }: Size) =>
  picture(drawPhoto({ width: 1200, height: 900 }))
    .resize(width, height, { fit: "fill" })
    .jpeg({ quality: 92 });

/** Named as in the real pack, because benches use these names. Only the one that bench/resize crops has its real size. */
async function drawPhotos(save: Save): Promise<void> {
  await save("photos/camera_oppo_r7_13mp.jpg", camera({ width: 2080, height: 1560 }));
  await save("photos/camera_kodak_pixpro_s1_16mp_icc.jpg", camera({ width: 4320, height: 3240 }).withIccProfile("p3"));
  await save(
    "photos/camera_iphone4s_8mp_rot6.jpg",
    camera({ width: 1224, height: 1632 }).withMetadata({ orientation: 6 }),
  );
  await save("photos/camera_nikon_e990_3mp.jpg", camera({ width: 1024, height: 768 }));
  await save("photos/kodak_03_caps.png", picture(drawPhoto({ width: 768, height: 512 })));
  await save("photos/kodak_23_parrots.png", picture(drawPhoto({ width: 768, height: 512 })).flop());
  await save("photos/clic_11f2_portrait.png", picture(drawDisc({ width: 1200, height: 1600 }, 400).picture));
  await save("photos/ui_windows_light.png", picture(drawScreen({ width: 1280, height: 800 })));
}

/** A disc in front of a photograph: a subject that can be cut out, with its mask. */
function drawDisc(size: Size, radius: number) {
  const [left, top] = [size.width / 2, size.height / 2];
  const isInside = (x: number, y: number) => Math.hypot(x - left, y - top) < radius;
  const behind = drawPhoto(size);
  return {
    picture: draw(size, 3, (x, y) => {
      const light = 1 - Math.hypot(x - left + 40, y - top + 50) / size.width;
      const at = (y * size.width + x) * 3;
      return isInside(x, y) ? [225 * light, 90 * light, 60 * light] : [...behind.data.subarray(at, at + 3)];
    }),
    mask: draw(size, 1, (x, y) => [isInside(x, y) ? 255 : 0]),
  };
}

/** Discs in front of photographs, with their masks; the names are those that bench/cutout.ts places in large pictures. */
async function drawPairs(save: Save, write: Write): Promise<void> {
  const size = { width: 640, height: 480 };
  const rows = ["name\timage\tmask\twidth\theight"];
  for (const [i, name] of ["71", "76", "87", "98", "258"].entries()) {
    const disc = drawDisc(size, 110 + 15 * i);
    await save(`cutout/images/${name}.jpg`, picture(disc.picture).jpeg({ quality: 92, chromaSubsampling: "4:4:4" }));
    await save(`cutout/masks/${name}.png`, picture(disc.mask));
    rows.push([name, `images/${name}.jpg`, `masks/${name}.png`, size.width, size.height].join("\t"));
  }
  await write("cutout/pairs.tsv", `${rows.join("\n")}\n`);
}

async function drawUpscaling(save: Save): Promise<void> {
  const high = { photo: drawPhoto({ width: 256, height: 256 }), screen: drawScreen({ width: 256, height: 256 }) };
  for (const set of ["Set5", "Set14"])
    for (const scale of [2, 4])
      for (const [name, drawn] of Object.entries(high)) {
        const path = `upscale/${set}/image_SRF_${scale}/${name}_SRF_${scale}`;
        await save(`${path}_HR.png`, picture(drawn));
        await save(`${path}_LR.png`, picture(drawn).resize(256 / scale, 256 / scale, { kernel: "cubic" }));
      }
}

async function drawFormats(save: Save, write: Write): Promise<void> {
  const size = { width: 160, height: 120 };
  const frames = Array.from({ length: 12 }, (_, i) =>
    draw(size, 3, (x, y) => (Math.hypot(x - 20 - 10 * i, y - 60) < 18 ? [220, 40, 40] : [240 - y, 240, 200 + y / 4])),
  );
  const strip = sharp(Buffer.concat(frames.map(({ data }) => data)), {
    raw: { ...size, height: size.height * frames.length, channels: 3, pageHeight: size.height },
  });
  await save("formats/animated/animated.gif", strip.clone().gif());
  await save("formats/animated/animated.webp", strip.clone().webp());
  const photo = () => picture(drawPhoto(size));
  for (const orientation of [1, 3, 6, 8])
    await save(`formats/exif/landscape_${orientation}.jpg`, photo().jpeg().withMetadata({ orientation }));
  await save("formats/color/cmyk.jpg", photo().toColourspace("cmyk").jpeg());
  await save("formats/color/rgb16.png", photo().toColourspace("rgb16").png());
  await save("formats/color/indexed.png", photo().png({ palette: true }));
  await save("formats/heif/example.avif", photo().avif());
  await write(
    "formats/svg/drawing.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><path d="M5 5h80v50z"/></svg>',
  );
  await write("formats/broken/text.jpg", "plain text");
  await write("formats/broken/zero-bytes.png", "");
  const { bmp, png } = plainBmp();
  await write("formats/bmp/g/rgb24.bmp", bmp);
  await save("formats/bmp/reference/rgb24.png", png);
  await write("formats/bmp/references.tsv", "bmp\treference\ng/rgb24.bmp\treference/rgb24.png\n");
}

/** 24 bits per pixel, BGR, rows from the bottom up, and the same pixels as a reference. */
function plainBmp(): { bmp: Uint8Array; png: Sharp } {
  const [width, height] = [64, 48]; // rows of a multiple of four bytes need no padding
  const drawn = drawScreen({ width, height });
  const body = Uint8Array.from(drawn.data, (_, i) => {
    const [x, y, channel] = [Math.floor(i / 3) % width, Math.floor(i / (3 * width)), i % 3];
    return drawn.data[((height - 1 - y) * width + x) * 3 + 2 - channel] ?? 0;
  });
  return { bmp: bmpFile({ width, height, bits: 24, body }), png: picture(drawn) };
}
