import { auxiliaryFilesOf, DomainError, isTask } from "@tintype/contract";
import { openSource, type Source } from "../formats/open-source.ts";
import { checkDecodes } from "../formats/source.ts";
import type { OpenedTask } from "./operation.ts";

/**
 * Opens and decodes the auxiliary picture of this role; undefined if the task has none. The reason of an error
 * names the role, from which the server tells the form's field.
 * @throws as `openSource`, as `checkDecodes`
 */
export async function openAuxiliary(
  { name, auxiliaryPaths = {}, limits }: Pick<OpenedTask, "name" | "auxiliaryPaths" | "limits">,
  role: string,
): Promise<Source | undefined> {
  const { [role]: path } = auxiliaryPaths;
  if (path === undefined) return undefined;
  try {
    const source = await openSource(path, limits);
    await checkDecodes(source);
    return source;
  } catch (problem) {
    const isKnown = isTask(name) && auxiliaryFilesOf(name).some((one) => one.role === role);
    if (!isKnown || !(problem instanceof DomainError)) throw problem;
    const { code, reason, cause } = problem;
    throw new DomainError(code, { reason: { code: "auxiliary-file-failed", operation: name, role, reason }, cause });
  }
}
