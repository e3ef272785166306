import type { InferenceSession } from "onnxruntime-node";
import { ModelError } from "./model-error.ts";
import type { ModelRow } from "./row.ts";

type Declared = readonly InferenceSession.ValueMetadata[];
/** A number is fixed, null is dynamic, as in "[1, 3, any, any]". */
type Shape = readonly (number | null)[];

/**
 * Checks a model's declared inputs and outputs against its row, before any inference.
 * @throws ModelError naming the file, its declaration and the requirements of its slot
 */
export function checkShapes(
  row: ModelRow,
  { path, inputs, outputs }: { path: string; inputs: Declared; outputs: Declared },
): void {
  const { input, output } = row;
  const refuse = (problem: string): never => {
    throw new ModelError(`${row.name} at ${path} does not fit its place: ${problem}.`);
  };
  const fixed = input.size.kind === "fixed" ? input.size : undefined;
  const type = row.values ?? "float32";
  const shape = (channels: number, scale: number): Shape => {
    const size = [fixed ? fixed.heightPx * scale : null, fixed ? fixed.widthPx * scale : null];
    return type === "uint8" ? [1, ...size, channels] : [1, channels, ...size];
  };
  const others = inputs.filter((one) => one.name !== input.name);
  if (others.length > 0 || inputs.length === 0)
    refuse(`it takes ${names(inputs)}, and ${JSON.stringify(input.name)} alone is given to it`);
  const wrong =
    misfit("input", find(inputs, input.name), { type, shape: shape(3, 1), mustBeFree: !fixed }) ??
    misfit("output", find(outputs, output.name), {
      type,
      shape: shape(output.channels, output.scale),
      mustBeFree: false,
    });
  if (wrong === "no output") refuse(`it gives ${names(outputs)}, and ${JSON.stringify(output.name)} is asked for`);
  if (wrong) refuse(wrong);
}

const find = (declared: Declared, name: string) => declared.find((one) => one.name === name);
const names = (declared: Declared) => declared.map((one) => JSON.stringify(one.name)).join(", ") || "nothing";
const write = (shape: readonly (number | string | null)[]) => `[${shape.map((size) => size ?? "any").join(", ")}]`;

function misfit(
  kind: "input" | "output",
  found: InferenceSession.ValueMetadata | undefined,
  { type, shape, mustBeFree }: { type: string; shape: Shape; mustBeFree: boolean },
): string | undefined {
  if (!found?.isTensor) return `no ${kind}`;
  const description = `its ${kind} ${JSON.stringify(found.name)} is ${found.type} ${write(found.shape)}`;
  const wanted = `wanted is ${type} ${write(shape)}`;
  if (found.type !== type || found.shape.length !== shape.length) return `${description}, ${wanted}`;
  const fits = shape.every((size, i) => {
    const own = found.shape[i];
    const isFree = typeof own !== "number" || own < 0;
    return size === null ? isFree || !mustBeFree : isFree || own === size;
  });
  return fits ? undefined : `${description}, ${wanted}`;
}
