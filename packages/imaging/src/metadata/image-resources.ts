/** Ids of Photoshop's image resources. `profile` is an ICC profile, `version` says whether the file has a merged image. */
export const resourceIds = {
  resolution: 1005,
  channelNames: 1006,
  oldChannelKinds: 1007,
  channelKinds: 1077,
  iptc: 1028,
  profile: 1039,
  transparentIndex: 1047,
  version: 1057,
  exif: 1058,
  xmp: 1060,
};

/** "Image Resources Section": a signature, an id, a name and the data, the latter two padded to even lengths. */
export function readResources(section: Uint8Array): Map<number, Uint8Array> {
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  const found = new Map<number, Uint8Array>();
  for (let at = 0; at + 12 <= section.length; ) {
    const id = view.getUint16(at + 4);
    const nameBytes = 1 + view.getUint8(at + 6);
    const lengthPlace = at + 6 + nameBytes + (nameBytes & 1);
    if (lengthPlace + 4 > section.length) break;
    const length = view.getUint32(lengthPlace);
    const start = lengthPlace + 4;
    if (start + length > section.length) break;
    if (!found.has(id)) found.set(id, section.subarray(start, start + length));
    at = start + length + (length & 1);
  }
  return found;
}
