import type { OperationName } from "@tintype/contract";
import { Link } from "react-router";
import { useStudioState } from "./studio-context.tsx";
import { tools } from "./tools.ts";

const sentences: Record<OperationName, string> = {
  compress: "Fewer bytes, the same picture. Never larger than what you brought, and 100 loses nothing the eye can see.",
  resize: "To the pixel: inside a box, filling it, or stretched. Moving pictures keep moving.",
  upscale:
    "Two, four or eight times the size. A neural network draws the new pixels, without seams or a shift in colour.",
  "remove-background": "The subject on nothing, at full resolution, with clean colours along the edge.",
  convert: "JPEG, PNG, WebP, BMP, GIF, TIFF and AVIF, from those and from HEIC and SVG.",
};

/** What each tool does, in a sentence; where `/#resize` leads in a browser without script. */
export function ToolIntroductions() {
  const current = useStudioState((state) => state.tool);
  return (
    <div className="mt-16 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-5">
      {tools.map(({ value, label, anchor, icon: Icon }) => (
        <section key={value} id={anchor} aria-labelledby={`${anchor}-title`} className="scroll-mt-24">
          <Icon className={value === current ? "size-5 text-accent" : "size-5 text-muted"} />
          <h2 id={`${anchor}-title`} className="mt-3 text-xl">
            <Link to={`#${anchor}`} className="rounded-sm hover:underline">
              {label}
            </Link>
          </h2>
          <p className="mt-1.5 text-sm text-muted">{sentences[value]}</p>
        </section>
      ))}
    </div>
  );
}
