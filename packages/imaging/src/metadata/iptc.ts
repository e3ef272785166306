import type { MetadataGroup } from "@tintype/contract";
import { decodeText, isReadable } from "./exif.ts";
import { readResources, resourceIds } from "./image-resources.ts";
import { type XmpContent, type XmpField, type XmpName, xmpField } from "./xmp.ts";

/** Datasets of record 2 that may be kept, as the XMP properties that the IPTC Photo Metadata Standard maps them to. */
const kept: Record<number, XmpName> = {
  55: "photoshop:DateCreated",
  80: "dc:creator",
  110: "photoshop:Credit",
  116: "dc:rights",
};
const removedGroups: Record<number, MetadataGroup> = {
  26: "location",
  27: "location",
  90: "location",
  92: "location",
  95: "location",
  100: "location",
  101: "location",
  5: "description",
  25: "description",
  105: "description",
  120: "description",
};
const [marker, application] = [0x1c, 2];
const maxTextBytes = 2000;

/** The records of an IPTC-IIM block as XMP (IIM 4.1, chapter 1): few formats can store the records themselves. */
export function readIptc(bytes: Uint8Array): XmpContent {
  const values = new Map<XmpName, string[]>();
  const groups = new Set<MetadataGroup>();
  for (let at = 0; bytes[at] === marker && at + 5 <= bytes.length; ) {
    const [record, dataset] = [bytes[at + 1], bytes[at + 2] as number];
    const length = ((bytes[at + 3] as number) << 8) | (bytes[at + 4] as number);
    const end = at + 5 + length;
    if (length >= 0x8000 || end > bytes.length) break; // an extended dataset, which holds no text
    const removed = record === application ? removedGroups[dataset] : undefined;
    if (removed) groups.add(removed);
    const name = record === application ? kept[dataset] : undefined;
    const text = name && textOf(dataset, bytes.subarray(at + 5, Math.min(end, at + 5 + maxTextBytes)));
    if (name && text) values.set(name, [...(values.get(name) ?? []), text]);
    at = end;
  }
  const fields = [...values].map(([name, texts]): XmpField => xmpField(name, texts));
  return { fields, groups: new Set([...fields.map(({ group }) => group), ...groups]) };
}

function textOf(dataset: number, bytes: Uint8Array): string | undefined {
  const text = decodeText(bytes).split("\0").join("").trim();
  if (dataset !== 55) return isReadable(text) ? text : undefined;
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  return day
    ? day
        .slice(1)
        .filter((part) => part !== "00")
        .join("-")
    : undefined;
}

/** The IPTC block among Photoshop's image resources (Photoshop File Formats, "Image Resource Blocks"). */
export const iptcAmongResources = (bytes: Uint8Array): Uint8Array | undefined =>
  readResources(bytes).get(resourceIds.iptc);
