import { type BmpHeader, readPalette } from "./header.ts";
import { type RunSink, walkRuns } from "./run-length.ts";

/**
 * Decodes RLE4, RLE8 and RLE24 in two passes. The first one only counts pixels: it detects an invalid stream before
 * anything is allocated. The result has alpha only if the stream skips pixels.
 */
export function decodeRuns(bytes: Uint8Array, header: BmpHeader): { channels: 3 | 4; data: Uint8Array } {
  const { width, height, isTopDown } = header;
  let drawn = 0;
  const count = (at: { count: number }) => {
    drawn += at.count;
  };
  walkRuns(bytes, header, { run: count, literal: count });
  const channels = drawn === width * height ? 3 : 4; // no pixel is drawn twice: a stream only moves forward
  const data = new Uint8Array(width * height * channels);
  const position = (x: number, row: number) => ((isTopDown ? row : height - 1 - row) * width + x) * channels;
  walkRuns(bytes, header, painter({ bytes, header, data, channels, position }));
  return { channels, data };
}

type Canvas = {
  bytes: Uint8Array;
  header: BmpHeader;
  data: Uint8Array;
  channels: 3 | 4;
  position(x: number, row: number): number;
};

function painter({ bytes, header, data, channels, position }: Canvas): RunSink {
  const put = (to: number, colours: Uint8Array, from: number) => {
    data[to] = colours[from] ?? 0;
    data[to + 1] = colours[from + 1] ?? 0;
    data[to + 2] = colours[from + 2] ?? 0;
    if (channels === 4) data[to + 3] = 255;
  };
  if (header.packing === "rle24") {
    const at = (i: number) => Uint8Array.of(bytes[i + 2] ?? 0, bytes[i + 1] ?? 0, bytes[i] ?? 0);
    return {
      run: ({ x, row, count, offset }) => {
        const colour = at(offset);
        for (let i = 0, to = position(x, row); i < count; i++, to += channels) put(to, colour, 0);
      },
      literal: ({ x, row, count, offset }) => {
        for (let i = 0, to = position(x, row); i < count; i++, to += channels) put(to, at(offset + i * 3), 0);
      },
    };
  }
  const { colours } = readPalette(bytes, header);
  const nibble = (offset: number, i: number) => ((bytes[offset + (i >> 1)] ?? 0) >> (i & 1 ? 0 : 4)) & 15;
  const isNibbles = header.packing === "rle4";
  return {
    run: ({ x, row, count, offset }) => {
      for (let i = 0, to = position(x, row); i < count; i++, to += channels)
        put(to, colours, 3 * (isNibbles ? nibble(offset, i & 1) : (bytes[offset] ?? 0)));
    },
    literal: ({ x, row, count, offset }) => {
      for (let i = 0, to = position(x, row); i < count; i++, to += channels)
        put(to, colours, 3 * (isNibbles ? nibble(offset, i) : (bytes[offset + i] ?? 0)));
    },
  };
}
