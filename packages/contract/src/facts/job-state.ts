export const jobStates = ["queued", "running", "done", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];
export const fileStates = ["waiting", "working", "done", "unchanged", "failed", "cancelled"] as const;
export type FileState = (typeof fileStates)[number];

/** Whether the state is terminal. */
export const isFinal = (state: JobState | FileState): boolean =>
  state !== "queued" && state !== "running" && state !== "waiting" && state !== "working";
