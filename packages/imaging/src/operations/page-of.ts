import { optionOf } from "../metadata/choice.ts";

/** The page in a task's options, from 1. */
export function pageOf(options: unknown): number | undefined {
  const page = optionOf(options, "page");
  return typeof page === "number" ? page : undefined;
}

/** The page for a step of a pipeline. Any step may name it, but only the first one opens the document; results have one page. */
export function pageForStep(steps: readonly { options: unknown }[], index: number): number | undefined {
  return index > 0 ? 1 : steps.map(({ options }) => pageOf(options)).find((page) => page !== undefined);
}
