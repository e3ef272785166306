import { countOf } from "../../../lib/size.ts";
import { Button } from "../../../ui/button.tsx";
import { hasOwn } from "../state/own-options.ts";
import { useStudio, useStudioState } from "../studio-context.tsx";

/** Says that some pictures do not go by the form. Default export: it is loaded by `lazy`. */
export default function OwnNote() {
  const studio = useStudio();
  const tool = useStudioState((state) => state.tool);
  const own = useStudioState((state) => state.own);
  const pictures = useStudioState((state) => state.pictures);
  const mine = pictures.filter(({ id }) => hasOwn({ tool, own }, id));
  const [first] = mine;
  if (!first) return null;
  const reset = () => {
    for (const { id } of mine) studio.dispatch({ type: "own-options-set", id, tool, settings: undefined });
  };
  return (
    <div role="status" className="flex items-center gap-2 rounded-md bg-sunken py-1.5 pr-1.5 pl-4 text-sm">
      <p className="mr-auto min-w-0 wrap-anywhere">
        {mine.length === 1
          ? `${first.name} has options of its own.`
          : `${countOf(mine.length, "picture")} have options of their own.`}
      </p>
      <Button kind="quiet" size="sm" aria-label="The same options for all pictures" onClick={reset}>
        Reset
      </Button>
    </div>
  );
}
