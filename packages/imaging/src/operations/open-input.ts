import { DomainError, type InputFormat } from "@tintype/contract";
import { openFile, type Source } from "../formats/open-source.ts";
import { type OpenedTask, stillOnly } from "./operation.ts";
import { pageOf } from "./page-of.ts";

type Input = Pick<OpenedTask, "input" | "limits" | "options" | "page"> & { standsFor?: InputFormat | undefined };

/** Opens a task's picture; for a document, the page of the task or of its options. @throws as `openSource` */
export const openInput = ({ input, limits, standsFor, options, page = pageOf(options) }: Input): Promise<Source> =>
  openFile(input, limits, { standsFor, page });

/** The same for an operation that takes no animation. @throws cannot-process for one */
export async function openStill(input: Input, operation: keyof typeof stillOnly): Promise<Source> {
  const source = await openInput(input);
  if (source.isAnimated) throw new DomainError("cannot-process", { detail: stillOnly[operation] });
  return source;
}
