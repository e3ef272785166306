import type { OperationName } from "@tintype/contract";
import { formOf } from "../state/form-fields.ts";
import { OperationField } from "./operation-field.tsx";
import type { OptionsProps } from "./use-setting.ts";

/** Every field of the tool's manifest, in its order: the form of a tool that has no arrangement of its own. */
export function OperationFields({ tool, problemIn }: OptionsProps & { tool: OperationName }) {
  return Object.keys(formOf(tool).fields).map((name) => (
    <OperationField key={name} tool={tool} name={name} problemIn={problemIn} />
  ));
}
