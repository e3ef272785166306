import { DomainError, type InputFormat } from "@tintype/contract";
import { openSource, type Source } from "../formats/open-source.ts";
import { optionOf } from "../metadata/choice.ts";
import type { Task } from "../task.ts";
import { stillOnly } from "./operation.ts";

type Input = Pick<Task, "inputPath" | "limits" | "options" | "page"> & { standsFor?: InputFormat | undefined };

/** Opens a task's picture; for a document, the page of the task or of its options. @throws as `openSource` */
export const openInput = ({ inputPath, limits, standsFor, options, page = pageOf(options) }: Input): Promise<Source> =>
  openSource(inputPath, limits, { standsFor, page });

/** The same for an operation that takes no animation. @throws cannot-process for one */
export async function openStill(input: Input, operation: keyof typeof stillOnly): Promise<Source> {
  const source = await openInput(input);
  if (source.isAnimated) throw new DomainError("cannot-process", { detail: stillOnly[operation] });
  return source;
}

/** The page in a task's options, from 1. */
function pageOf(options: unknown): number | undefined {
  const page = optionOf(options, "page");
  return typeof page === "number" ? page : undefined;
}

/** The page for a step of a pipeline. Any step may name it, but only the first one opens the document; results have one page. */
export function pageForStep(steps: readonly { options: unknown }[], index: number): number | undefined {
  return index > 0 ? 1 : steps.map(({ options }) => pageOf(options)).find((page) => page !== undefined);
}
