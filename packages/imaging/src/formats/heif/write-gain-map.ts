import { addItems, firstNewId } from "./add-items.ts";
import { box, readBoxes, uint } from "./boxes.ts";
import { readItems } from "./items.ts";

/** A gain map as an AVIF of one item, and the metadata of ISO 21496-1, annex C.2.2. */
export type HeifGainMap = { avif: Uint8Array; iso: Uint8Array };

/**
 * The AVIF with a gain map: a hidden item, and a tone-mapped image derived from it and the picture (ISO/IEC 23008-12,
 * 6.6.2.4). Undefined for a layout that encoders do not write.
 * @param avif a file without a gain map
 */
export function withHeifGainMap(avif: Uint8Array, { avif: map, iso }: HeifGainMap): Buffer | undefined {
  const { items, primaryId } = readItems(avif, readBoxes(avif, 0, avif.length));
  const [coded, ...others] = readItems(map, readBoxes(map, 0, map.length)).items.values();
  const size = items.get(primaryId)?.properties.find(({ type }) => type === "ispe");
  const configuration = coded?.properties.find(({ type }) => type === "av1C");
  if (!coded || others.length > 0 || !size || !configuration) return undefined;
  const mapId = firstNewId(avif);
  const own = coded.properties.filter(({ type }) => type === "ispe" || type === "pixi");
  const cut = (bytes: Uint8Array, { start, end }: { start: number; end: number }) => bytes.subarray(start, end);
  return addItems(avif, {
    brand: "tmap",
    // The first one is preferred: a reader without support for tone-mapped images shows the picture.
    alternatives: [mapId + 1, primaryId],
    items: [
      {
        type: "av01",
        data: Buffer.concat(coded.extents.map((extent) => cut(map, extent))),
        isHidden: true,
        properties: [
          { box: cut(map, configuration), isEssential: true },
          ...own.map((property) => ({ box: cut(map, property) })),
          { box: colourBox(mapColours) },
        ],
      },
      {
        type: "tmap",
        data: Buffer.concat([Uint8Array.of(0), iso]),
        references: [["dimg", [primaryId, mapId]]],
        properties: [{ box: cut(avif, size) }, { box: tenBits }, { box: colourBox(alternateColours) }],
      },
    ],
  });
}

/** Code points of ISO/IEC 23091-2. Gain map samples are not colours; libheif codes them by the BT.601 matrix. */
const mapColours = { primaries: 2, transfer: 2, matrix: 6 };
/** A tone-mapped image in BT.2020 with PQ, which covers every brightened colour. */
const alternateColours = { primaries: 9, transfer: 16, matrix: 9 };

function colourBox({ primaries, transfer, matrix }: typeof mapColours): Buffer {
  const isFullRange = 0x80;
  return box("colr", Buffer.from("nclx"), uint(2, primaries), uint(2, transfer), uint(2, matrix), [isFullRange]);
}

const tenBits = box("pixi", [0, 0, 0, 0, 3, 10, 10, 10]);
