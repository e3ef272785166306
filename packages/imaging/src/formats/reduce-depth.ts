import { type Held, holdPixels } from "../raster/held.ts";

/** From this quality on, 16 bits a channel stay 16. They can only be packed without loss, and take three times the bytes. */
const deepFrom = 90;

type Shallow = Extract<Held, { depth: 8 }>;

/** What losing bytes begins with: 8 bits a channel, but where the quality wants all 16. `notes` says what that costs. */
export async function shallowFor(
  held: Held,
  quality: number,
): Promise<{ shallow: Shallow | undefined; notes: string[] }> {
  if (held.depth === 8) return { shallow: held, notes: [] };
  if (quality >= deepFrom) return { shallow: undefined, notes: [] };
  const shallow = await holdPixels(held.open().toColourspace(held.channels < 3 ? "b-w" : "srgb"));
  if (shallow.depth === 16) throw new Error("A picture asked for in 8 bits came in 16");
  return { shallow, notes: [`16 bits a channel are reduced to 8 below a quality of ${deepFrom}.`] };
}
