import { StudioSection } from "../features/studio/studio-section.tsx";
import { ToolIntroductions } from "../features/studio/tool-introductions.tsx";
import { pageMeta } from "../lib/seo.ts";

export const meta = () =>
  pageMeta({
    title: "Tintype: compress, resize, upscale, cut out and convert pictures",
    description:
      "Make pictures smaller, larger, cut out or another format, one or many at once, in the browser or by API. Originals and results are deleted once you have them.",
    path: "/",
  });

export default function Home() {
  return (
    <div className="page-width">
      <div className="pt-8 pb-7 sm:pt-12 sm:pb-9">
        <h1 className="text-[clamp(2.125rem,5.2vw,3.75rem)]">Pictures made right, while you wait</h1>
        <p className="mt-3 max-w-2xl text-muted sm:text-lg">
          Compress, resize, upscale, cut out or convert. One picture or a whole folder.
        </p>
      </div>
      <StudioSection />
      <ToolIntroductions />
    </div>
  );
}
