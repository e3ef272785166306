import type { MetadataChoice, MetadataGroup } from "@tintype/contract";
import type { Blocks, FreshBlocks } from "./blocks.ts";
import type { Density } from "./density.ts";
import { type ExifField, exifText, readExif, writeExif } from "./exif.ts";
import { keptBy } from "./group.ts";
import { readIptc } from "./iptc.ts";
import { readXmp, writeXmp, type XmpField } from "./xmp.ts";

/** Fields that are written together, with the density of the picture. */
export type Fields = {
  exif: readonly ExifField[];
  xmp: readonly XmpField[];
  density?: Density | undefined;
};

/**
 * `sets`: what is kept, followed by a smaller fallback for a file without room. `found`: the groups of everything in
 * the file, kept or not.
 */
export type Selection = { sets: Fields[]; found: ReadonlySet<MetadataGroup> };

export const emptySelection: Selection = { sets: [], found: new Set() };

/** The fields of a file's blocks that a choice keeps. */
export function selectFields({ exif, xmp, iptc }: Blocks, choice: MetadataChoice): Selection {
  const fromExif = exif ? readExif(exif) : emptyContent;
  const fromXmp = xmp ? readXmp(xmp) : emptyContent;
  const fromIptc = iptc ? readIptc(iptc) : emptyContent;
  const isKept = ({ group }: { group: MetadataGroup }) => (keptBy[choice] as readonly MetadataGroup[]).includes(group);
  const missing = fromIptc.fields.filter(({ name, group }) =>
    fromXmp.fields.every((known) => known.name !== name && (group !== "date" || known.group !== "date")),
  );
  const all: Fields = {
    exif: fromExif.fields.filter(isKept),
    xmp: [...fromXmp.fields, ...missing].filter(isKept),
  };
  const short: Fields = { exif: withXmpIn(all), xmp: [] };
  const sets = [all, ...(all.xmp.length > 0 ? [short] : [])].filter(({ exif, xmp }) => exif.length + xmp.length > 0);
  return { sets, found: new Set([...fromExif.groups, ...fromXmp.groups, ...fromIptc.groups]) };
}

const emptyContent = { fields: [], groups: new Set<MetadataGroup>() };

/** The EXIF fields, with as much of the XMP as EXIF can express. */
function withXmpIn({ exif, xmp }: Fields): ExifField[] {
  const added = [[315, "creator", "dc:creator"] as const, [33432, "copyright", "dc:rights"] as const].flatMap(
    ([tag, group, name]) => {
      const values = xmp.find((field) => field.name === name)?.values;
      return values && !exif.some((field) => field.tag === tag) ? [exifText(tag, group, values.join("; "))] : [];
    },
  );
  return [...exif, ...added];
}

/** New blocks for the fields; `orientation` is for a picture that could not be rotated. */
export function writeBlocks({ exif, xmp, density }: Fields, orientation = 1): FreshBlocks {
  return { exif: writeExif(exif, { orientation, density }), xmp: writeXmp(xmp) };
}

/** The selection with a density in each set, and a last set of nothing else: it is kept whatever the choice. */
export const withDensity = ({ sets, found }: Selection, density: Density | undefined): Selection =>
  density === undefined
    ? { sets, found }
    : { sets: [...sets, { exif: [], xmp: [] }].map((fields) => ({ ...fields, density })), found };
