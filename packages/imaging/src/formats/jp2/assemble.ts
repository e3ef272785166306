import { fullScale, type IntegerSamples } from "@tintype/codecs/raster";
import { unmultiply } from "../heif/unmultiply.ts";
import type { Codestream } from "./codestream.ts";
import type { Channel, Jp2Palette } from "./container.ts";
import type { Plane } from "./decode.ts";
import { type ChannelPlan, channelsOf } from "./plan.ts";

type Assembly = { palette?: Jp2Palette | undefined; size: Codestream; plan: ChannelPlan };

/** Interleaved samples of 8 or 16 bits: colours, then unassociated alpha. `planes` are in the order of `channelsOf`. */
export function assemble(planes: Plane[], { palette, size, plan }: Assembly): IntegerSamples {
  const channels = channelsOf(plan);
  const { width, height } = plan.size;
  const isDeep = plan.space !== "cmyk" && channels.some((channel) => bitsOf(channel, { palette, size }) > 8);
  const count = width * height * channels.length;
  const data = isDeep ? new Uint16Array(count) : new Uint8Array(count);
  for (const [i, channel] of channels.entries()) {
    const plane = planes[i];
    if (!plane) continue;
    const table = tableOf(channel, { palette, size, full: fullScale(data) });
    fillChannel(data, { plane, table, to: i, step: channels.length, size, plan, channel });
  }
  if (plan.space === "ycc") convertYcc(data, channels.length);
  if (plan.isPremultiplied) unmultiply(data, channels.length);
  return data;
}

type Tables = { palette?: Jp2Palette | undefined; size: Codestream };

const bitsOf = ({ component, column }: Channel, { palette, size }: Tables): number =>
  (column === undefined ? size.components[component]?.bits : palette?.bits[column]) ?? 8;

/** The lookup table from component samples to output samples. */
function tableOf(channel: Channel, { full, ...tables }: Tables & { full: number }): Uint16Array {
  const bits = bitsOf(channel, tables);
  const scale = full / (2 ** bits - 1);
  const entries = channel.column === undefined ? undefined : tables.palette?.columns[channel.column];
  const length = 2 ** (tables.size.components[channel.component]?.bits ?? 8);
  // An index beyond the palette maps to its last colour.
  return Uint16Array.from({ length }, (_, i) =>
    Math.min(full, Math.round((entries ? (entries[Math.min(i, entries.length - 1)] ?? 0) : i) * scale)),
  );
}

type FillOptions = {
  plane: Plane;
  table: Uint16Array;
  to: number;
  step: number;
  size: Codestream;
  plan: ChannelPlan;
  channel: Channel;
};

/** Fills one channel. The samples of a subsampled component are replicated to the right and downwards. */
function fillChannel(data: IntegerSamples, { plane, table, to, step, size, plan, channel }: FillOptions): void {
  const { across, down } = size.components[channel.component] ?? plan.grid;
  const columns = placesIn({ count: plan.size.width, grid: plan.grid.across, distance: across, start: size.left });
  const rows = placesIn({ count: plan.size.height, grid: plan.grid.down, distance: down, start: size.top });
  let at = to;
  for (const row of rows) {
    const start = Math.min(row, plane.height - 1) * plane.width;
    for (const column of columns) {
      data[at] = table[plane.data[start + Math.min(column, plane.width - 1)] ?? 0] ?? 0;
      at += step;
    }
  }
}

/** The index of the component sample (ISO/IEC 15444-1, B.5) for each output sample of a row or column. */
function placesIn({ count, grid, distance, start }: Record<"count" | "grid" | "distance" | "start", number>) {
  const [first, firstOfComponent] = [Math.ceil(start / grid), Math.ceil(start / distance)];
  return Uint32Array.from({ length: count }, (_, i) =>
    Math.max(0, Math.floor(((first + i) * grid) / distance) - firstOfComponent),
  );
}

/** sYCC (IEC 61966-2-1, amendment 1) to sRGB in place. */
function convertYcc(data: IntegerSamples, channels: number): void {
  const full = fullScale(data);
  const middle = (full + 1) / 2;
  const clamp = (value: number) => Math.max(0, Math.min(full, Math.round(value)));
  for (let i = 0; i < data.length; i += channels) {
    const [y, cb, cr] = [data[i] ?? 0, (data[i + 1] ?? 0) - middle, (data[i + 2] ?? 0) - middle];
    data[i] = clamp(y + 1.402 * cr);
    data[i + 1] = clamp(y - 0.344136 * cb - 0.714136 * cr);
    data[i + 2] = clamp(y + 1.772 * cb);
  }
}
