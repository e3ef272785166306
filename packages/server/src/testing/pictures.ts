import { crc32, deflateSync } from "node:zlib";

const chunk = (type: string, data: Uint8Array) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, "latin1");
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([head, data, tail]);
};

type Pixel = (x: number, y: number) => [red: number, green: number, blue: number];

/** An asymmetric RGB PNG with a gradient and an edge. `seed` varies it. */
export function samplePng(width: number, height: number, seed = 0): Uint8Array {
  return encode(width, height, (x, y) => {
    const edge = x > width / 3 && y > height / 2 ? 200 : (seed * 37) % 160;
    return [(x * 255) / width, (y * 255) / height, edge];
  });
}

/** A deterministic RGB PNG of noise: it compresses badly and takes long. */
export function noisePng(width: number, height: number): Uint8Array {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes' generator
    return state >>> 24;
  };
  return encode(width, height, () => [next(), next(), next()]);
}

function encode(width: number, height: number, pixel: Pixel): Uint8Array {
  const stride = 1 + width * 3;
  const rows = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(pixel(x, y).map(Math.floor), y * stride + 1 + x * 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
