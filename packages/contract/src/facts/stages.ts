/** The stages of the work on a file that take long, as their names are shown. */
const names = {
  "loading-model": "Loading the model",
  "finding-subject": "Finding the subject",
  "looking-again": "Looking again",
  "looking-closer": "Looking closer",
  "cutting-edges": "Cutting along the edges",
  enlarging: "Enlarging",
  "writing-image": "Writing the image",
  "writing-set": "Writing the files",
} as const;

/** A stage as engines report it. */
export type Stage = keyof typeof names;

export const stages = Object.keys(names) as readonly Stage[] as readonly [Stage, ...Stage[]]; // not empty

const isStage = (stage: string): stage is Stage => Object.hasOwn(names, stage);

/** The name of a stage; one that is not known, such as that of a newer engine, as it is. */
export const stageText = (stage: string): string => (isStage(stage) ? names[stage] : stage);
