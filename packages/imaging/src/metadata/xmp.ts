import type { MetadataGroup } from "@tintype/contract";
import { isCameraName, isData, isReadable } from "./exif.ts";

/** A property that may be kept, by its usual prefixed name, and its values. */
export type XmpField = { name: XmpName; values: string[]; group: MetadataGroup };
export type XmpContent = { fields: XmpField[]; groups: Set<MetadataGroup> };

type PropertyForm = "text" | "seq" | "alt" | "resource" | "licensor";

/**
 * Properties that may be kept (XMP specification, part 1, section 8, and part 2; IPTC Photo Metadata Standard; PLUS;
 * Creative Commons). Of several dates the first one found is kept.
 */
const properties = {
  "dc:creator": { form: "seq", group: "creator" },
  "dc:rights": { form: "alt", group: "copyright" },
  "xmpRights:Marked": { form: "text", group: "copyright" },
  "xmpRights:WebStatement": { form: "text", group: "licence" },
  "xmpRights:UsageTerms": { form: "alt", group: "licence" },
  "cc:license": { form: "resource", group: "licence" },
  "plus:LicensorURL": { form: "licensor", group: "licence" },
  "photoshop:Credit": { form: "text", group: "credit-line" },
  "photoshop:DateCreated": { form: "text", group: "date" },
  "exif:DateTimeOriginal": { form: "text", group: "date" },
  "xmp:CreateDate": { form: "text", group: "date" },
  "tiff:Make": { form: "text", group: "camera" },
  "tiff:Model": { form: "text", group: "camera" },
  "aux:Lens": { form: "text", group: "camera" },
  "exifEX:LensModel": { form: "text", group: "camera" },
  "exif:ExposureTime": { form: "text", group: "camera-settings" },
  "exif:FNumber": { form: "text", group: "camera-settings" },
  "exif:FocalLength": { form: "text", group: "camera-settings" },
  "exif:FocalLengthIn35mmFilm": { form: "text", group: "camera-settings" },
  "exif:ExposureBiasValue": { form: "text", group: "camera-settings" },
  "exif:ISOSpeedRatings": { form: "seq", group: "camera-settings" },
} as const satisfies Record<string, { form: PropertyForm; group: MetadataGroup }>;
export type XmpName = keyof typeof properties;
const names = Object.keys(properties) as XmpName[]; // an object's own keys

const namespaces: Record<string, string> = {
  dc: "http://purl.org/dc/elements/1.1/",
  xmp: "http://ns.adobe.com/xap/1.0/",
  xmpRights: "http://ns.adobe.com/xap/1.0/rights/",
  photoshop: "http://ns.adobe.com/photoshop/1.0/",
  plus: "http://ns.useplus.org/ldf/xmp/1.0/",
  cc: "http://creativecommons.org/ns#",
  tiff: "http://ns.adobe.com/tiff/1.0/",
  exif: "http://ns.adobe.com/exif/1.0/",
  exifEX: "http://cipa.jp/exif/1.0/",
  aux: "http://ns.adobe.com/exif/1.0/aux/",
};

/** Patterns that identify removed properties. */
const removedGroups: readonly (readonly [RegExp, MetadataGroup])[] = [
  [/\b(exif:GPS|Iptc4xmpCore:(Location|CountryCode)|photoshop:(City|State|Country)|Iptc4xmpExt:Location)/, "location"],
  [/\b(aux:(Lens)?SerialNumber|exifEX:\w*SerialNumber)/, "serial-numbers"],
  [/\b(aux:OwnerName|exifEX:CameraOwnerName)/, "owner-name"],
  [/\b(dc:(description|title|subject)|photoshop:Headline)/, "description"],
  [/\bxmp:Thumbnails/, "thumbnail"],
  [/\b(xmpMM:|crs:|photoshop:History|xmp:CreatorTool)/, "other-details"],
];

const maxTextLength = 2000;
const maxValues = 20;
/** A time zone reveals a location. */
const zone = /(Z|[+-]\d\d:?\d\d)$/;

/**
 * The properties of a packet that may be kept, found by their usual prefixes. It is not parsed as XML: a truncated or
 * damaged packet yields what is intact, and a value with nested markup is rejected.
 */
export function readXmp(packet: Uint8Array): XmpContent {
  const text = new TextDecoder().decode(packet);
  const found = names.flatMap((name): XmpField[] => {
    const { group } = properties[name];
    const values = [...new Set(valuesOf(text, name))].slice(0, maxValues);
    const kept =
      group === "date"
        ? values.map((value) => value.replace(zone, "")).filter(isDate)
        : group === "camera"
          ? values.filter(isCameraName)
          : values.filter((value) => !isData(value));
    return kept.length > 0 ? [{ name, values: kept, group }] : [];
  });
  const firstDate = found.find(({ group }) => group === "date");
  const fields = found.filter((field) => field.group !== "date" || field === firstDate);
  const removed = removedGroups.filter(([words]) => words.test(text)).map(([, group]) => group);
  return { fields, groups: new Set([...fields.map(({ group }) => group), ...removed]) };
}

/** XMP, part 1, section 8.2.1.2. */
const isDate = (text: string) => /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?)?)?)?$/.test(text);

function valuesOf(text: string, name: XmpName): string[] {
  const { form } = properties[name];
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`).exec(text);
  if (attribute) return readable([attribute[1] ?? attribute[2] ?? ""]);
  const opening = new RegExp(`<${name}(\\s[^<>]*)?>`).exec(text);
  if (!opening) return [];
  const [tag, attributes = ""] = opening;
  if (form === "resource") {
    const resource = /rdf:resource\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes);
    if (resource) return readable([resource[1] ?? resource[2] ?? ""]);
  }
  if (attributes.endsWith("/")) return [];
  const start = opening.index + tag.length;
  const end = text.indexOf(`</${name}`, start);
  if (end < 0) return [];
  const body = text.slice(start, end);
  if (!body.includes("<")) return readable([body]);
  return readable(body.split("</rdf:li").slice(0, -1).map(lastItem));
}

/** The content of the last list item opened. */
function lastItem(part: string): string {
  const from = part.lastIndexOf("<rdf:li");
  const end = from < 0 ? -1 : part.indexOf(">", from);
  return end < 0 ? "" : part.slice(end + 1);
}

/** A value with a damaged end would include the next attribute. */
const attributeInside = /\b[A-Za-z]\w*:[A-Za-z]\w*\s*=/;

const readable = (values: string[]): string[] =>
  values
    .filter((value) => !value.includes("<") && !attributeInside.test(value))
    .map((value) => decodeEntities(value).trim())
    .filter((value) => value.length <= maxTextLength && isReadable(value));

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name) => {
    if (name) return Object.hasOwn(entities, name) ? (entities[name] as string) : whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });

const encodeEntities = (text: string) =>
  text.replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[one] ?? "&quot;");

/** A new packet with only these properties (XMP, part 1, section 7). */
export function writeXmp(fields: readonly XmpField[]): Uint8Array | undefined {
  if (fields.length === 0) return undefined;
  const prefixes = new Set(fields.map(({ name }) => name.slice(0, name.indexOf(":"))));
  const declared = [...prefixes].map((prefix) => ` xmlns:${prefix}="${namespaces[prefix]}"`).join("");
  const attributes = fields
    .filter(({ name }) => properties[name].form === "text")
    .map(({ name, values }) => ` ${name}="${encodeEntities(values[0] ?? "")}"`);
  const elements = fields.map(elementOf);
  return Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""` +
      `${declared}${attributes.join("")}>${elements.join("")}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
  );
}

function elementOf({ name, values }: XmpField): string {
  const [first = ""] = values;
  const wrap = (kind: "Seq" | "Alt", items: string) => `<${name}><rdf:${kind}>${items}</rdf:${kind}></${name}>`;
  switch (properties[name].form) {
    case "text":
      return "";
    case "resource":
      return `<${name} rdf:resource="${encodeEntities(first)}"/>`;
    case "seq":
      return wrap("Seq", values.map((value) => `<rdf:li>${encodeEntities(value)}</rdf:li>`).join(""));
    case "alt":
      return wrap("Alt", `<rdf:li xml:lang="x-default">${encodeEntities(first)}</rdf:li>`);
    case "licensor":
      return `<plus:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource"><${name}>${encodeEntities(first)}</${name}></rdf:li></rdf:Seq></plus:Licensor>`;
  }
}

export const xmpField = (name: XmpName, values: string[]): XmpField => ({
  name,
  values,
  group: properties[name].group,
});
