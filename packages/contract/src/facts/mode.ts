/** `service` sells plans. `private` is for a family, a team or a company's own network: nobody's work is limited by credits. */
export const modes = ["service", "private"] as const;
export type Mode = (typeof modes)[number];

const current: { mode: Mode } = { mode: "service" };

/** Sets the mode of this process or page, before anything reads it, as `setPlans` does with the plans. */
export function setMode(mode: Mode): void {
  current.mode = mode;
}

export const isPrivate = (): boolean => current.mode === "private";

/** Who sets the limits of a caller's files, in sentences about them. */
export const whoAllows = (): string => (isPrivate() ? "this server" : "your plan");

export const batchLimitSentence = (files: number): string =>
  `${isPrivate() ? "This server" : "Your plan"} allows up to ${files} files per batch.`;
