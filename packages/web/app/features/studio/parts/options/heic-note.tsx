import { Button } from "../../../../ui/button.tsx";
import { useStudio } from "../../work/studio-context.tsx";
import { chooseTool } from "../use-tool-in-address.ts";

/** A HEIC cannot be written: it stays small as another format, or becomes one that opens everywhere. */
export function HeicNote() {
  const studio = useStudio();
  const takeJpeg = () => {
    studio.dispatch({ type: "setting-changed", tool: "convert", patch: { target_format: "jpeg" } });
    chooseTool(studio, "convert");
  };
  return (
    <div role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
      <p>AVIF keeps HEIC photos small. If they must open everywhere, choose JPEG.</p>
      <Button size="sm" className="mt-2" onClick={takeJpeg}>
        Use JPEG
      </Button>
    </div>
  );
}
