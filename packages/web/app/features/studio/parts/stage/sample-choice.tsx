import { joinClasses } from "../../../../lib/join-classes.ts";
import { type Sample, samples } from "../../work/samples/samples.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { chooseTool } from "../use-tool-in-address.ts";

/** Samples for users without a picture at hand, each with the tool that it demonstrates. Hidden once there are pictures. */
export function SampleChoice() {
  const studio = useStudio();
  const hasPictures = useStudioState((state) => state.pictures.length > 0);

  function take(sample: Sample) {
    studio.takeSample(sample);
    chooseTool(studio, sample.tool);
  }

  return (
    <div className={joinClasses("mt-8", hasPictures && "invisible")}>
      <p className="text-sm text-muted">No image to hand? Try one of ours for free.</p>
      <ul className="mt-3 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:justify-center">
        {samples.map((sample) => (
          <li key={sample.name}>
            <button
              type="button"
              onClick={() => take(sample)}
              className="flex w-full items-center gap-2.5 rounded-md border border-line bg-surface pr-3 text-left text-sm leading-tight transition-colors hover:border-edge"
            >
              <img
                src={sample.thumbUrl}
                alt={sample.alt}
                width={40}
                height={40}
                loading="lazy"
                className="size-10 shrink-0 rounded-l-md object-cover"
              />
              {sample.callToAction}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
