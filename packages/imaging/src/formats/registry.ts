import type { InputFormat, OutputFormat } from "@tintype/contract";
import { bmp } from "./bmp/bmp.ts";
import type { FormatModule, WrittenFormat } from "./format-module.ts";
import { gif } from "./gif/gif.ts";
import { avif, heic } from "./heif/heif.ts";
import { ico } from "./ico/ico.ts";
import { jp2 } from "./jp2/jp2.ts";
import { jpeg } from "./jpeg/jpeg.ts";
import { jxl } from "./jxl/jxl.ts";
import { pdf } from "./pdf/pdf.ts";
import { png } from "./png/png.ts";
import { psd } from "./psd/psd.ts";
import { svg } from "./svg/svg.ts";
import { tiff } from "./tiff/tiff.ts";
import { webp } from "./webp/webp.ts";

/** The formats: one of the contract without a module, or an output format without an encoder, does not compile. */
export const formatModules: Record<OutputFormat, WrittenFormat> & Record<InputFormat, FormatModule> = {
  jpeg,
  png,
  webp,
  gif,
  tiff,
  bmp,
  avif,
  heic,
  svg,
  ico,
  jxl,
  psd,
  jp2,
  pdf,
};
