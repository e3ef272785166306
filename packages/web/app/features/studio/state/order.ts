import { creditsPerFile, type WrittenStep } from "@tintype/contract";
import { formFields } from "./form-fields.ts";
import { type Frame, filledFrame, hasFrame, stepsOf } from "./frame.ts";
import type { Picture, PictureId } from "./picture.ts";
import { fillRatio } from "./resized-sides.ts";
import type { Settings, ToolSettings } from "./settings.ts";
import { type Plan, stepNames, writeStep } from "./steps.ts";

/** What is done to one picture: the plan of all, with its own options, and its own crop and turn before them. */
export type Order = Plan & { frame: Frame | undefined };
export type Orders = ReadonlyMap<PictureId, Order>;

/** The studio's choices that hold for all pictures. */
type Chosen = Omit<Plan, "settings"> & { settings: Settings };

export const hasOwn = ({ own }: Pick<Picture, "own">, tool: Plan["tool"]): boolean => own?.[tool] !== undefined;

/** The settings that a picture goes with: its own where it has some. */
export const settingsOf = ({ tool, settings }: Chosen, { own }: Pick<Picture, "own">): ToolSettings =>
  own?.[tool] ?? settings[tool];

export function orderOf(chosen: Chosen, picture: Partial<Pick<Picture, "own" | "frame" | "sides">>): Order {
  const { tool, cursor, steps } = chosen;
  const settings = settingsOf(chosen, picture);
  // Steps before the resize make another picture of it, and its middle is kept.
  const ratio = tool === "resize" && cursor === 0 ? fillRatio(settings) : undefined;
  const own = hasOwn(picture, tool) ? steps.with(cursor, writeStep(tool, settings)) : steps;
  return { tool, settings, cursor, steps: own, frame: filledFrame(picture.frame, { sides: picture.sides, ratio }) };
}

export const ordersOf = (chosen: Chosen, pictures: readonly Picture[]): Orders =>
  new Map(pictures.map((picture) => [picture.id, orderOf(chosen, picture)]));

/** Whether two orders are one and the same choice. Settings that were changed and changed back are another. */
export const isSameOrder = (one: Order, other: Order): boolean =>
  one.tool === other.tool &&
  one.settings === other.settings &&
  JSON.stringify(one.frame) === JSON.stringify(other.frame) &&
  one.cursor === other.cursor &&
  one.steps.length === other.steps.length &&
  one.steps.every((step, index) => index === one.cursor || step === other.steps[index]);

/** The steps that a picture is sent with. */
export const sentSteps = ({ frame, steps }: Order): readonly WrittenStep[] => [
  ...(hasFrame(frame) ? stepsOf(frame) : []),
  ...steps,
];

/** Whether the result is the matte itself, which has no background. */
export const isMaskOnly = (order: Pick<Order, "tool" | "settings"> | undefined): boolean =>
  order?.tool === "remove-background" && formFields(order.tool, order.settings)["mask_only"] === "true";

/** Pictures that go with the same steps and files: the server takes one set of them with a job. */
export type Part = { order: Order; ids: readonly PictureId[] };

/** The parts of a batch, in the order of their first pictures. */
export function partsOf(orders: Orders): readonly Part[] {
  const parts = new Map<string, { order: Order; ids: PictureId[] }>();
  const files: File[] = [];
  // A file is the same only as itself: two pictures of one name may differ.
  const nameOf = (file: File) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  for (const [id, order] of orders) {
    const fields = Object.entries(formFields(order.tool, order.settings));
    const key = JSON.stringify([
      sentSteps(order),
      fields.map(([name, value]) => [name, typeof value === "string" ? value : nameOf(value)]),
    ]);
    const part = parts.get(key);
    if (part) part.ids.push(id);
    else parts.set(key, { order, ids: [id] });
  }
  return [...parts.values()];
}

/** Credits that each picture costs. */
export const priceOf = (steps: readonly WrittenStep[]): number =>
  creditsPerFile(stepNames(steps).map((operation) => ({ operation })));
