import { type MetadataChoice, metadataChoices } from "@tintype/contract";

/** The choice for a picture that goes through several steps: the last one's, or nothing where one of them keeps nothing. */
export function metadataOf(steps: readonly { options: unknown }[]): MetadataChoice | undefined {
  const choices = steps.flatMap(({ options }) => choiceIn(options) ?? []);
  return choices.includes("none") ? "none" : choices.at(-1);
}

/** What a task's options say of it; undefined where the task has no such option. */
export function choiceIn(options: unknown): MetadataChoice | undefined {
  const choice = optionOf(options, "metadata");
  return metadataChoices.find((one) => one === choice);
}

export const optionOf = (options: unknown, name: string): unknown =>
  typeof options === "object" && options !== null ? (options as Record<string, unknown>)[name] : undefined; // by its keys
