import { type MetadataChoice, metadataChoices } from "@tintype/contract";

/** The choice for a pipeline of several steps: the last step's, or "none" if any of them chooses that. */
export function metadataOf(steps: readonly { options: unknown }[]): MetadataChoice | undefined {
  const choices = steps.flatMap(({ options }) => choiceIn(options) ?? []);
  return choices.includes("none") ? "none" : choices.at(-1);
}

/** The choice in a task's options; undefined if the task has no such option. */
export function choiceIn(options: unknown): MetadataChoice | undefined {
  const choice = optionOf(options, "metadata");
  return metadataChoices.find((one) => one === choice);
}

export const optionOf = (options: unknown, name: string): unknown =>
  // accessed by key
  typeof options === "object" && options !== null ? (options as Record<string, unknown>)[name] : undefined;
