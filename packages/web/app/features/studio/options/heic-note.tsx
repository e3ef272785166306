import { Button } from "../../../ui/button.tsx";
import { useStudio } from "../studio-context.tsx";
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
      <p>HEIC stays small as AVIF. If it must open everywhere, take JPEG.</p>
      <Button size="sm" className="mt-2" onClick={takeJpeg}>
        Take JPEG
      </Button>
    </div>
  );
}
