import { existsSync } from "node:fs";
import { join } from "node:path";

/** Pictures of the data packs without people: the networks that know only people must change nothing there. */
const pictures = {
  "racing car": "train-upscale/cameras/Canon_EOS-1D_Mark_III_via_Adobe_Lightroom_.avif",
  "red car": "train-upscale/cameras/Canon_EOS_450D.avif",
  scooter: "train-upscale/cameras/Minolta_DiMAGE_S304.avif",
  van: "train-upscale/clic/0c49a5cce349020bbba2f97ae41e90ba.avif",
  goat: "train-upscale/cameras/Minolta_DiMAGE_S404.avif",
  cat: "train-upscale/cameras/Pentax_Optio_330.avif",
  "two cats": "train-upscale/cameras/Samsung_GT-I9100_Galaxy_SII_.avif",
  fish: "train-upscale/cameras/Kodak_PIXPRO_S-1.avif",
  butterfly: "train-upscale/cameras/Kodak_DX4330.avif",
  parrots: "photos/kodak_23_parrots.png",
  "beer in glasses": "train-upscale/cameras/Panasonic_DMC-LC33_Lumix_.avif",
  "beer in two glasses": "train-upscale/cameras/Samsung_GT-I9505_Galaxy_S4_.avif",
  "statue of a man": "train-upscale/clic/2684452db505ddbbb53f42a3f3bcfe86fdd0d6d8d98c029db4b4c6fc1f55b750.avif",
  "knitted doll": "train-upscale/clic/d1a9be98d1936065967adac50a6fb750.avif",
  "sweet pepper": "train-upscale/clic/60430844748882ff66b9a5598ef06dd6.avif",
  "feet on a beach": "train-upscale/cameras/Apple_iPhone_4S.avif",
  flower: "train-upscale/cameras/Casio_QV-3000EX.avif",
  "telephone box": "train-upscale/cameras/Nikon_D40.avif",
  "chain before a wall": "train-upscale/cameras/Leica_T_Typ_701_.avif",
  caps: "photos/kodak_03_caps.png",
} as const;

/** Those of them that the folder of data packs has; the drawn packs have the last ones of `photos/`. */
export const thingsOf = (packs: string): { name: string; path: string }[] =>
  Object.entries(pictures)
    .map(([name, path]) => ({ name, path: join(packs, path) }))
    .filter(({ path }) => existsSync(path));
