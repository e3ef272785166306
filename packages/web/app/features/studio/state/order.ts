import { creditsPerFile, type WrittenStep } from "@tintype/contract";
import { formFields } from "./form-fields.ts";
import { type Frame, filledFrame, hasFrame, stepsOf } from "./frame.ts";
import { hasPages, settingsWithoutPage } from "./page.ts";
import type { Picture, PictureId } from "./picture.ts";
import { fillRatio } from "./resized-sides.ts";
import type { Settings, ToolSettings } from "./settings.ts";
import { type Plan, stepNames, writeStep } from "./steps.ts";

/** What is done to one picture: its own crop and rotation, then the common plan with the picture's custom options. */
export type Order = Plan & { frame: Frame | undefined };
export type Orders = ReadonlyMap<PictureId, Order>;

/** The choices that apply to all pictures. */
type ChosenPlan = Omit<Plan, "settings"> & { settings: Settings };

export const hasCustomOptions = ({ customOptions }: Pick<Picture, "customOptions">, tool: Plan["tool"]): boolean =>
  customOptions?.[tool] !== undefined;

/** The settings that a picture is sent with: its own, or else the form's. */
export const settingsOf = (
  { tool, settings }: ChosenPlan,
  { customOptions }: Pick<Picture, "customOptions">,
): ToolSettings => customOptions?.[tool] ?? settings[tool];

export function orderOf(
  chosen: ChosenPlan,
  picture: Partial<Pick<Picture, "format" | "customOptions" | "frame" | "sides">>,
): Order {
  const { tool, cursor, steps } = chosen;
  const settings = settingsOf(chosen, picture);
  // After other steps a resize keeps the centre: `fillAt` applies only to the original picture.
  const ratio = tool === "resize" && cursor === 0 ? fillRatio(settings) : undefined;
  const customSteps = hasCustomOptions(picture, tool) ? steps.with(cursor, writeStep(tool, settings)) : steps;
  const frame = filledFrame(picture.frame, { sides: picture.sides, ratio });
  const order = { tool, settings, cursor, steps: customSteps, frame };
  return hasPages(picture) ? order : withoutPage(order);
}

/** The order for a picture that is not a document. */
const withoutPage = (order: Order): Order => ({
  ...order,
  settings: settingsWithoutPage(order.settings),
  steps: JSON.parse(JSON.stringify(order.steps, (name, value: unknown) => (name === "page" ? undefined : value))),
});

/** The order that the form describes. */
export const formOrder = (state: ChosenPlan & { pictures: readonly Picture[] }): Order =>
  orderOf(state, { format: state.pictures.find(hasPages)?.format });

export const ordersOf = (chosen: ChosenPlan, pictures: readonly Picture[]): Orders =>
  new Map(pictures.map((picture) => [picture.id, orderOf(chosen, picture)]));

const written = ({ tool, settings, cursor, steps, frame }: Order) =>
  JSON.stringify([tool, settings, cursor, steps, frame]);

/** Whether two orders are equal. Background files compare by identity. */
export const isSameOrder = (one: Order, other: Order): boolean =>
  one.settings.picture === other.settings.picture && written(one) === written(other);

/** The steps that a picture is sent with. */
export const sentSteps = ({ frame, steps }: Order): readonly WrittenStep[] => [
  ...(hasFrame(frame) ? stepsOf(frame) : []),
  ...steps,
];

/** Whether the result is the matte itself, which has no background. */
export const isMaskOnly = (order: Pick<Order, "tool" | "settings"> | undefined): boolean =>
  order?.tool === "remove-background" && formFields(order.tool, order.settings)["mask_only"] === "true";

/** Pictures sent with the same steps and files, since a job has only one set of them. */
export type Part = { order: Order; ids: readonly PictureId[] };

/** The parts of a batch, ordered by their first picture. */
export function partsOf(orders: Orders): readonly Part[] {
  const parts = new Map<string, { order: Order; ids: PictureId[] }>();
  const files: File[] = [];
  // Files compare by identity: two files with the same name may differ.
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

/** Credits per picture. */
export const priceOf = (steps: readonly WrittenStep[]): number =>
  creditsPerFile(stepNames(steps).map((operation) => ({ operation })));
