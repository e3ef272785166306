import { DomainError, type InputFormat, type StillOnlyTask } from "@tintype/contract";
import { openFile, type Source } from "../formats/open-source.ts";
import type { OpenedTask } from "./operation.ts";
import { pageOf } from "./page-of.ts";

type Input = Pick<OpenedTask, "input" | "limits" | "options" | "page"> & { standsFor?: InputFormat | undefined };

/** Opens a task's picture; for a document, the page of the task or of its options. @throws as `openSource` */
export const openInput = ({ input, limits, standsFor, options, page = pageOf(options) }: Input): Promise<Source> =>
  openFile(input, limits, { standsFor, page });

/** The same for an operation that takes no animation. @throws cannot-process for one */
export async function openStill(input: Input, operation: StillOnlyTask): Promise<Source> {
  const source = await openInput(input);
  if (source.isAnimated) throw new DomainError("cannot-process", { reason: { code: "still-only", operation } });
  return source;
}
