import type { Obstacle } from "../state/studio-state.ts";

/** Of one tool's options. `problemIn` gives the id of the sentence that says what is wrong with a field, if something is. */
export type OptionsProps = { problemIn(field: Obstacle["field"]): string | undefined };
