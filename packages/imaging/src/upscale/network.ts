import type { OpenModel } from "../model/inference.ts";
import { planesOf } from "../model/tensor.ts";
import { allocateLike, type IntegerSamples, type Raster } from "../raster/raster.ts";

/** One or three channels enlarged by the model, in samples of the same kind, rounded and kept in range. */
export async function enlarge(model: OpenModel, tile: Raster): Promise<Raster> {
  return tile.channels === 1 ? meanOf(await enlargeRgb(model, tripled(tile))) : enlargeRgb(model, tile);
}

async function enlargeRgb(model: OpenModel, { data, width, height }: Raster): Promise<Raster> {
  const { scale } = model.row.output;
  const size = { heightPx: height, widthPx: width };
  const enlarged = { width: width * scale, height: height * scale, channels: 3 } as const;
  if (model.row.values === "uint8") {
    if (data instanceof Uint16Array) throw new Error("a model of bytes was given samples of 16 bits");
    return { data: await model.runBytes(data, size), ...enlarged };
  }
  const planes = await model.run(planesOf(data, { channels: 3, input: model.row.input }), size);
  return { data: interleave(planes, allocateLike(data, planes.length)), ...enlarged };
}

/** Float32 [3, height, width], 0..1, as samples side by side. */
function interleave(planes: Float32Array, to: IntegerSamples): IntegerSamples {
  const area = planes.length / 3;
  const full = to instanceof Uint16Array ? 65_535 : 255;
  for (let channel = 0; channel < 3; channel += 1)
    for (let i = channel * area, out = channel; out < to.length; i += 1, out += 3)
      to[out] = (planes[i] as number) * full + 0.5; // the model's row clamps to 0..1; storing truncates
  return to;
}

function tripled({ data, width, height }: Raster): Raster {
  const rgb = allocateLike(data, data.length * 3);
  for (let i = 0, out = 0; i < data.length; i += 1, out += 3)
    rgb[out] = rgb[out + 1] = rgb[out + 2] = data[i] as number;
  return { data: rgb, width, height, channels: 3 };
}

function meanOf({ data, width, height }: Raster): Raster {
  const plane = allocateLike(data, width * height);
  for (let i = 0, at = 0; i < plane.length; i += 1, at += 3)
    plane[i] = ((data[at] as number) + (data[at + 1] as number) + (data[at + 2] as number)) / 3 + 0.5;
  return { data: plane, width, height, channels: 1 };
}
