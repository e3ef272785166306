import { fieldTypes, readDirectory, type TiffEntry, type TiffLayout, tiffLayout } from "../raster/tiff-directory.ts";
import { numbersEntry, type WrittenEntry } from "../raster/write-directory.ts";

/** Pixels per inch across and down; with `isRatio` only their ratio is known: the shape of a pixel. */
export type Density = { x: number; y: number; isRatio?: true };

/** What formats mean that state no density, or must state one. */
const usualDensity = 72;
const inchMetres = 0.0254;
const inchCentimetres = 2.54;
/** 16 bits in JFIF; below, a number is a mistake of the writer. */
const range = { min: 1, max: 65_535 };
/** A density in whole pixels per metre is off by up to half of one. */
const metreError = 0.013;

/** A pixel per millimetre: what libvips, and with it sharp, writes for a density that it does not know. */
const isUnset = (value: number) => Math.abs(value - 25.4) < 0.001;

const isUsable = (value: number) => value >= range.min && value <= range.max;

/** Undefined for numbers that no picture has, and for square pixels of unknown size. */
export function densityFrom({ x, y, isRatio }: Density): Density | undefined {
  if (!isUsable(x) || !isUsable(y)) return undefined;
  if (isRatio) return x === y ? undefined : { x, y, isRatio };
  if (isUnset(x) && isUnset(y)) return undefined;
  return { x, y };
}

/** Pixels per metre as pixels per inch, which are nearly always whole. */
export function fromMetres(value: number): number {
  const exact = value * inchMetres;
  return Math.abs(exact - Math.round(exact)) <= metreError ? Math.round(exact) : exact;
}

const toMetres = (value: number): number => Math.round(value / inchMetres);

/** The density of a picture whose rows became columns. */
export const swapAxes = ({ x, y, ...unit }: Density): Density => ({ x: y, y: x, ...unit });

export const isSameDensity = (a: Density | undefined, b: Density | undefined): boolean =>
  a?.x === b?.x && a?.y === b?.y && a?.isRatio === b?.isRatio;

const tags = { x: 282, y: 283, unit: 296 } as const;
/** ResolutionUnit (TIFF 6.0, section 8; CIPA DC-008, 4.6.4). */
const units = { none: 1, inch: 2, centimetre: 3 } as const;

/** XResolution, YResolution and ResolutionUnit of the first directory of a TIFF, or of EXIF data. */
export function densityInTiff(bytes: Uint8Array): Density | undefined {
  try {
    const layout = tiffLayout(bytes);
    const { entries } = readDirectory(layout, layout.first);
    const find = (wanted: number) => entries.find(({ tag }) => tag === wanted);
    const [x, y] = [find(tags.x), find(tags.y)].map((entry) => entry && rationalOf(layout, entry));
    const unit = find(tags.unit)?.numbers()[0] ?? units.inch;
    if (x === undefined && y === undefined) return undefined;
    const scale = unit === units.centimetre ? inchCentimetres : 1;
    const [across, down] = [(x ?? y ?? 0) * scale, (y ?? x ?? 0) * scale];
    return densityFrom({ x: across, y: down, ...(unit === units.none ? { isRatio: true } : {}) });
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function rationalOf({ view, isLittle }: TiffLayout, { type, values }: TiffEntry): number | undefined {
  if (type !== fieldTypes.rational || values.end - values.start < 8) return undefined;
  const [over, under] = [view.getUint32(values.start, isLittle), view.getUint32(values.start + 4, isLittle)];
  return under === 0 ? undefined : over / under;
}

/** The entries of a density in a TIFF or in EXIF. */
export function densityEntries({ x, y, isRatio }: Density): WrittenEntry[] {
  const rational = (tag: number, value: number): WrittenEntry => {
    const under = Number.isInteger(value) ? 1 : 10_000;
    const bytes = numbersEntry(tag, "long", [Math.round(value * under), under]).bytes;
    return { tag, type: fieldTypes.rational, bytes };
  };
  return [
    rational(tags.x, x),
    rational(tags.y, y),
    numbersEntry(tags.unit, "short", [isRatio ? units.none : units.inch]),
  ];
}

/** Those for EXIF, which reads a missing density as 72 and has no unit for a ratio (CIPA DC-008, 4.6.4). */
export const exifDensity = (density: Density | undefined): WrittenEntry[] =>
  !density || density.isRatio || (density.x === usualDensity && density.y === usualDensity)
    ? []
    : densityEntries(density);

/** The data of a JFIF APP0 segment after its identifier and version (ITU-T T.871, 10.1). */
const jfifUnits = { none: 0, inch: 1, centimetre: 2 } as const;
export const jfifUnitAt = 7;

export function densityInJfif(data: Uint8Array): Density | undefined {
  if (data.length < jfifUnitAt + 5) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const unit = view.getUint8(jfifUnitAt);
  const scale = unit === jfifUnits.centimetre ? inchCentimetres : 1;
  const [x, y] = [view.getUint16(jfifUnitAt + 1) * scale, view.getUint16(jfifUnitAt + 3) * scale];
  return densityFrom({ x, y, ...(unit === jfifUnits.none ? { isRatio: true } : {}) });
}

/** The bytes of JFIF's unit and densities, in the unit that needs less rounding. */
export function jfifDensity({ x, y, isRatio }: Density): Uint8Array {
  const roundingOf = (scale: number) => [x / scale, y / scale].reduce((sum, v) => sum + Math.abs(v - Math.round(v)), 0);
  const isMetric = !isRatio && roundingOf(inchCentimetres) < roundingOf(1);
  const scale = isMetric ? inchCentimetres : 1;
  const unit = isRatio ? jfifUnits.none : isMetric ? jfifUnits.centimetre : jfifUnits.inch;
  const bytes = Buffer.alloc(5);
  bytes[0] = unit;
  bytes.writeUInt16BE(Math.round(x / scale), 1);
  bytes.writeUInt16BE(Math.round(y / scale), 3);
  return bytes;
}

/** The data of pHYs (PNG, third edition, 11.3.4.3): pixels per unit across and down; unit 1 is the metre. */
export function densityInPhys(data: Uint8Array): Density | undefined {
  if (data.length < 9) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const [x, y] = [view.getUint32(0), view.getUint32(4)];
  return view.getUint8(8) === 1
    ? densityFrom({ x: fromMetres(x), y: fromMetres(y) })
    : densityFrom({ x, y, isRatio: true });
}

export function physOf({ x, y, isRatio }: Density): Uint8Array {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt32BE(isRatio ? Math.round(x) : toMetres(x));
  bytes.writeUInt32BE(isRatio ? Math.round(y) : toMetres(y), 4);
  bytes[8] = isRatio ? 0 : 1;
  return bytes;
}

/** biXPelsPerMeter and biYPelsPerMeter of a BMP whose header has them; its offset is fixed. */
const bmpDensityAt = 38;
const hasBmpDensity = (view: DataView) => view.byteLength >= bmpDensityAt + 8 && view.getUint32(14, true) >= 40;

export function densityInBmp(bytes: Uint8Array): Density | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!hasBmpDensity(view)) return undefined;
  const [x, y] = [view.getInt32(bmpDensityAt, true), view.getInt32(bmpDensityAt + 4, true)];
  return densityFrom({ x: fromMetres(x), y: fromMetres(y) });
}

/** The BMP with this density in its header. */
export function embedInBmp(bytes: Uint8Array, density: Density | undefined): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  if (!density || density.isRatio || !hasBmpDensity(view)) return bytes;
  view.setInt32(bmpDensityAt, toMetres(density.x), true);
  view.setInt32(bmpDensityAt + 4, toMetres(density.y), true);
  return copy;
}

/** ResolutionInfo (Adobe Photoshop File Formats Specification): 16.16 pixels per inch, whatever unit is shown. */
export function densityInPsd(resource: Uint8Array | undefined): Density | undefined {
  if (!resource || resource.length < 12) return undefined;
  const view = new DataView(resource.buffer, resource.byteOffset, resource.length);
  return densityFrom({ x: view.getUint32(0) / 65_536, y: view.getUint32(8) / 65_536 });
}
