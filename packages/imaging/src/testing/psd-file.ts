/** The contents of a Photoshop test file. */
type PsdFile = {
  width: number;
  height: number;
  mode: number;
  depth?: number;
  /** Rows of each channel, as bytes. */
  planes: Uint8Array[];
  palette?: Uint8Array;
  resources?: [id: number, data: Uint8Array][];
  /** The layer count; if negative, the merged image has transparency. */
  layers?: number;
  isPacked?: boolean;
  isBig?: boolean;
};

const uint = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, Math.max(0, bytes - 6), Math.min(6, bytes));
  return buffer;
};

/** Builds a Photoshop file byte by byte. */
export function psdFile(file: PsdFile): Buffer {
  const { width, height, mode, depth = 8, planes, palette = new Uint8Array(), resources = [], isBig = false } = file;
  const lengthBytes = isBig ? 8 : 4;
  const head = Buffer.concat([
    Buffer.from("8BPS"),
    ...[uint(isBig ? 2 : 1, 2), Buffer.alloc(6), uint(planes.length, 2), uint(height, 4), uint(width, 4)],
    ...[uint(depth, 2), uint(mode, 2), uint(palette.length, 4), palette],
  ]);
  const resourceBytes = Buffer.concat(
    resources.map(([id, data]) =>
      Buffer.concat([
        Buffer.from("8BIM"),
        ...[uint(id, 2), Buffer.alloc(2), uint(data.length, 4), data, Buffer.alloc(data.length & 1)],
      ]),
    ),
  );
  const count = Buffer.alloc(2);
  count.writeInt16BE(file.layers ?? 0);
  const layers = file.layers === undefined ? Buffer.alloc(0) : Buffer.concat([uint(2, lengthBytes), count, uint(0, 4)]);
  return Buffer.concat([
    head,
    uint(resourceBytes.length, 4),
    resourceBytes,
    uint(layers.length, lengthBytes),
    layers,
    ...pictureOf(file),
  ]);
}

function pictureOf({ height, planes, isPacked = false, isBig = false }: PsdFile): Uint8Array[] {
  if (!isPacked) return [uint(0, 2), ...planes];
  const rows = planes.flatMap((plane) =>
    Array.from({ length: height }, (_, y) => {
      const rowBytes = plane.length / height;
      return packRow(plane.subarray(y * rowBytes, (y + 1) * rowBytes));
    }),
  );
  return [uint(1, 2), ...rows.map((row) => uint(row.length, isBig ? 4 : 2)), ...rows];
}

/** PackBits: a replicate run if up to 128 bytes are all equal, otherwise a literal run. */
function packRow(row: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < row.length; at += 128) {
    const part = row.subarray(at, at + 128);
    const isRun = part.length > 1 && part.every((value) => value === part[0]);
    parts.push(isRun ? Buffer.of(257 - part.length, part[0] ?? 0) : Buffer.from([part.length - 1, ...part]));
  }
  return Buffer.concat(parts);
}
