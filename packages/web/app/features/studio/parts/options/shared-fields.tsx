import { manifestOf, type OperationName } from "@tintype/contract";
import { hasPages } from "../../state/page.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { OperationField } from "./operation-field.tsx";
import { type OptionsProps, useIsForOnePicture, useSinglePicture } from "./use-setting.ts";

/** The fields that every tool has: the page of a document, and which metadata is kept. */
export function SharedFields({ tool, problemIn }: OptionsProps & { tool: OperationName }) {
  const isForOnePicture = useIsForOnePicture();
  const single = useSinglePicture();
  const hasDocument = useStudioState(({ pictures }) => pictures.some(hasPages));
  const hasPage = isForOnePicture && single ? hasPages(single) : hasDocument;
  return (
    <>
      {hasPage && (
        <OperationField
          tool={tool}
          name="page"
          problemIn={problemIn}
          placeholder="1"
          hint="The page of a PDF. Other images have only one."
        />
      )}
      <details className="text-sm">
        <summary className="rounded-sm font-medium text-muted hover:text-ink">Metadata</summary>
        <div className="mt-3">
          <OperationField tool={tool} name="metadata" problemIn={problemIn} isList />
        </div>
      </details>
    </>
  );
}

const shared: readonly string[] = ["page", "metadata"];

/** A tool's own fields, one below the other. */
export const OtherFields = ({ tool, problemIn }: OptionsProps & { tool: OperationName }) =>
  Object.keys(manifestOf(tool).fields)
    .filter((name) => !shared.includes(name))
    .map((name) => <OperationField key={name} tool={tool} name={name} problemIn={problemIn} />);
