import { formats, type InputFormat } from "@tintype/contract";
import { Button } from "../../../../ui/button.tsx";
import { useStudio } from "../../work/studio-context.tsx";
import { chooseTool } from "../use-tool-in-address.ts";

/** Explains what compress does with a read-only format, and offers JPEG, which opens everywhere. */
export function UnwrittenNote({ format }: { format: InputFormat }) {
  const studio = useStudio();
  const takeJpeg = () => {
    studio.dispatch({ type: "setting-changed", tool: "convert", patch: { target_format: "jpeg" } });
    chooseTool(studio, "convert");
  };
  return (
    <div role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
      <p>
        {format === "heic"
          ? "AVIF keeps HEIC photos small. If they must open everywhere, choose JPEG."
          : `${formats[format].label} files cannot be compressed as they are. Convert them instead.`}
      </p>
      <Button size="sm" className="mt-2" onClick={takeJpeg}>
        Use JPEG
      </Button>
    </div>
  );
}
