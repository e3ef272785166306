import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { ModelError } from "./model-error.ts";
import { widenModel, widenNumbers } from "./widen.ts";

// The messages of onnx.proto that these models need.
const [float, half, int64] = [1, 10, 7];
type Message = [number: number, value: number | string | Uint8Array][];

function message(fields: Message): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields)
    if (typeof value === "number") writer.tag(number, WireType.Varint).int32(value);
    else
      writer
        .tag(number, WireType.LengthDelimited)
        .bytes(typeof value === "string" ? new TextEncoder().encode(value) : value);
  return writer.finish();
}

type Node = { operator: string; takes: string[]; gives: string; attributes?: Uint8Array[] };
const node = ({ operator, takes, gives, attributes = [] }: Node) =>
  message([
    ...takes.map((name): Message[number] => [1, name]),
    [2, gives],
    [4, operator],
    ...attributes.map((one): Message[number] => [5, one]),
  ]);
const castTo = (type: number) =>
  message([
    [1, "to"],
    [3, type],
    [20, 2],
  ]);
const tensorOf = (type: number, name: string, bytes: Uint8Array) =>
  message([
    [1, 3],
    [2, type],
    [8, name],
    [9, bytes],
  ]);
const halves = (...values: number[]) => new Uint8Array(new Float16Array(values).buffer);
/** A tensor type of one row of three numbers. */
const row = (name: string, type: number) =>
  message([
    [1, name],
    [
      2,
      message([
        [
          1,
          message([
            [1, type],
            [2, message([[1, message([[1, 3]])]])],
          ]),
        ],
      ]),
    ],
  ]);

/** `wanted` = input * weights + bias, and `other` = input, both in float16. The nodes are in reverse order. */
function modelOf({ weights = tensorOf(half, "weights", halves(2, -0.5, 1 / 3)) } = {}): Uint8Array {
  const bias = message([
    [1, "value"],
    [5, tensorOf(half, "", halves(1, 6e-8, -65_504))],
    [20, 4],
  ]);
  const nodes: Node[] = [
    { operator: "Cast", takes: ["sum"], gives: "wanted", attributes: [castTo(float)] },
    { operator: "Add", takes: ["product", "bias"], gives: "sum" },
    { operator: "Mul", takes: ["narrow", "weights"], gives: "product" },
    { operator: "Constant", takes: [], gives: "bias", attributes: [bias] },
    { operator: "Cast", takes: ["input"], gives: "narrow", attributes: [castTo(half)] },
    { operator: "Add", takes: ["narrow", "unused"], gives: "other" },
  ];
  const graph = message([
    ...nodes.map((one): Message[number] => [1, node(one)]),
    [2, "test"],
    [5, weights],
    [5, tensorOf(half, "unused", halves(1, 2, 3))],
    [11, row("input", float)],
    [12, row("other", half)],
    [12, row("wanted", float)],
    [13, row("product", half)],
  ]);
  return message([
    [1, 8],
    [7, graph],
    [
      8,
      message([
        [1, ""],
        [2, 17],
      ]),
    ],
  ]);
}

async function run(model: Uint8Array, input: number[]) {
  const session = await InferenceSession.create(model);
  const { wanted } = await session.run({ input: new Tensor("float32", input, [3]) }, ["wanted"]);
  return { outputs: session.outputNames, values: Array.from((wanted?.data ?? []) as Float32Array) };
}

test("the answer is the same where 16 bits were enough, and nothing but it is computed", async () => {
  const input = [4, 8, 3];
  const before = await run(modelOf(), input);
  const after = await run(widenModel(modelOf(), "wanted"), input);
  expect(before.outputs).toEqual(["other", "wanted"]);
  expect(after.outputs).toEqual(["wanted"]);
  expect(after.values[0]).toBe(before.values[0]);
  expect(after.values[1]).toBeCloseTo(-4, 6);
});

test("numbers become what they are exactly, and are computed with in 32 bits", async () => {
  const third = new Float16Array([1 / 3])[0] ?? 0;
  const smallest = new Float16Array([6e-8])[0] ?? 0;
  // In float16, 1 + 1/2048 would be 1, and 3000 * 2 + 1 would be 6000.
  expect((await run(widenModel(modelOf(), "wanted"), [3000, 0, 3])).values).toEqual([
    6001,
    smallest,
    Math.fround(Math.fround(3 * third) - 65_504),
  ]);
});

test("weights not of 16 bits stay as they are", () => {
  const model = modelOf({ weights: tensorOf(int64, "weights", new Uint8Array(24).fill(7)) });
  expect(Buffer.from(widenModel(model, "wanted")).includes(Buffer.alloc(24, 7))).toBe(true);
});

test("a model that is not as expected is refused", () => {
  expect(() => widenModel(modelOf(), "nothing")).toThrow(ModelError);
  const inNumbers = message([
    [1, 3],
    [2, half],
    [8, "weights"],
    [5, halves(1, 2, 3)],
  ]);
  expect(() => widenModel(modelOf({ weights: inNumbers }), "wanted")).toThrow("weights does not have its numbers");
});

test("each number of 16 bits widens as the platform's own type does", () => {
  const all = Uint16Array.from({ length: 65_536 }, (_, half) => half);
  const wide = new Float32Array(widenNumbers(new Uint8Array(all.buffer)).buffer);
  expect(wide).toEqual(new Float32Array(new Float16Array(all.buffer)));
});
