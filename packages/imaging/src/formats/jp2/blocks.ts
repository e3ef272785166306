import { type Blocks, maxBlockBytes } from "../../metadata/blocks.ts";
import { type Density, densityFrom, fromMetres } from "../../metadata/density.ts";
import { readBoxes, reader } from "../heif/boxes.ts";
import { readUuidBoxes } from "./uuid-boxes.ts";

export const readJp2Blocks = (bytes: Uint8Array): Blocks => ({
  ...readUuidBoxes(bytes, { maxBytes: maxBlockBytes }),
  density: densityInJp2(bytes),
});

/**
 * The `res ` box of a JP2 (ISO/IEC 15444-1, I.5.3.7), of display or else of capture: numerators and denominators, down
 * and across, then exponents of ten, per metre.
 */
export function densityInJp2(bytes: Uint8Array): Density | undefined {
  const inside = (boxes: ReturnType<typeof readBoxes>, type: string) =>
    boxes.filter((box) => box.type === type).flatMap(({ body, end }) => readBoxes(bytes, body, end));
  const boxes = inside(inside(readBoxes(bytes, 0, bytes.length), "jp2h"), "res ");
  const box = boxes.find(({ type }) => type === "resd") ?? boxes.find(({ type }) => type === "resc");
  if (!box || box.end - box.body < 10) return undefined;
  const { number } = reader(bytes, box);
  const [downOver, downUnder, acrossOver, acrossUnder] = [number(2), number(2), number(2), number(2)];
  const [downPower, acrossPower] = [number(1), number(1)].map((byte) => (byte << 24) >> 24);
  const metres = (over: number, under: number, power = 0) => fromMetres((over / under) * 10 ** power);
  return densityFrom({ x: metres(acrossOver, acrossUnder, acrossPower), y: metres(downOver, downUnder, downPower) });
}
