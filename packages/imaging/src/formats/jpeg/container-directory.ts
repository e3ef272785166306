import { headerSegments, markers, writeSegment, xmpMark } from "@tintype/codecs/jpeg";
import { startsWith } from "./metadata.ts";

/** The video of a motion photo. `momentUs`: the presentation time of the still picture, in microseconds. */
export type Motion = { bytes: Uint8Array; mediaType: "video/mp4" | "video/quicktime"; momentUs?: number };

const { app0, app1 } = markers;
/** The segment length of 65,535 includes its own two bytes (ITU-T T.81, B.1.1.4). */
const mostPacketBytes = 65_533 - xmpMark.length;

/** Splits a JPEG after its leading APP0 and APP1 segments. `head` is SOI and these segments, without the XMP packet. */
export function splitHead(jpeg: Uint8Array): { head: Uint8Array; xmp: string | undefined; rest: Uint8Array } {
  const head: Uint8Array[] = [jpeg.subarray(0, 2)];
  let xmp: string | undefined;
  let at = 2;
  for (const { marker, data, start, end } of headerSegments(jpeg)) {
    if (marker !== app0 && marker !== app1) break;
    if (marker === app1 && startsWith(data, xmpMark)) xmp = Buffer.from(data.subarray(xmpMark.length)).toString();
    else head.push(jpeg.subarray(start, end));
    at = end;
  }
  return { head: Buffer.concat(head), xmp, rest: jpeg.subarray(at) };
}

/** An XMP packet in an APP1 segment (XMP Specification, part 3). */
export const xmpSegment = (text: string): Uint8Array =>
  writeSegment(app1, Buffer.concat([Buffer.from(xmpMark, "latin1"), Buffer.from(text)]));

/** An XMP packet of these rdf:Description elements. */
export const packet = (inside: string): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${inside}</rdf:RDF></x:xmpmeta>`;

/** Adds an rdf:Description to the packet, or to a new one; undefined if the result exceeds one APP1 segment. */
export function withDescription(xmp: string | undefined, description: string): string | undefined {
  const joined = xmp?.replace("<rdf:Description", () => `${description}<rdf:Description`) ?? packet(description);
  return Buffer.byteLength(joined) > mostPacketBytes ? undefined : joined;
}

export const hdrgmSpace = `xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"`;

type Directory = {
  /** Length of the gain map's JPEG, which follows the primary picture. */
  mapBytes?: number | undefined;
  /** Whether the gain map has hdrgm metadata, which Ultra HDR readers require. */
  hasNumbers?: boolean;
  motion?: Motion | undefined;
};

/**
 * The XMP Container:Directory: the items of the file in order, with their lengths (Ultra HDR Image Format 1.1,
 * "GContainer"; Motion Photo Format 1.0). A video also gets the attributes of the older MicroVideo format, whose offset
 * counts from the end of the file.
 */
export function directoryOf({ mapBytes, hasNumbers = false, motion }: Directory): string {
  const item = (attributes: string) => `<rdf:li rdf:parseType="Resource"><Container:Item ${attributes}/></rdf:li>`;
  const items = [
    item('Item:Semantic="Primary" Item:Mime="image/jpeg"'),
    ...(mapBytes === undefined
      ? []
      : [item(`Item:Semantic="GainMap" Item:Length="${mapBytes}" Item:Mime="image/jpeg"`)]),
    ...(motion
      ? [item(`Item:Semantic="MotionPhoto" Item:Length="${motion.bytes.length}" Item:Mime="${motion.mediaType}"`)]
      : []),
  ];
  const attributes = [
    ...(hasNumbers ? [hdrgmSpace] : []),
    ...(motion ? [motionAttributes(motion)] : []),
    'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"',
  ];
  return `<rdf:Description rdf:about="" ${attributes.join(" ")}><Container:Directory><rdf:Seq>${items.join("")}</rdf:Seq></Container:Directory></rdf:Description>`;
}

function motionAttributes({ bytes, momentUs }: Motion): string {
  const values = {
    MotionPhoto: 1,
    MotionPhotoVersion: 1,
    ...(momentUs === undefined ? {} : { MotionPhotoPresentationTimestampUs: momentUs }),
    MicroVideo: 1,
    MicroVideoVersion: 1,
    MicroVideoOffset: bytes.length,
    ...(momentUs === undefined ? {} : { MicroVideoPresentationTimestampUs: momentUs }),
  };
  const written = Object.entries(values).map(([name, value]) => `GCamera:${name}="${value}"`);
  return `xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" ${written.join(" ")}`;
}
