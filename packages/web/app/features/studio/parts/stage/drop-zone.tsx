import { limits } from "@tintype/contract";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { planFact } from "../../../../lib/plan-fact.ts";
import { countOf } from "../../../../lib/size.ts";
import { limitsOf } from "../../state/studio-state.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { FilePicker } from "./file-picker.tsx";
import { SampleChoice } from "./sample-choice.tsx";

/** The drop zone while there are no pictures. */
export function DropZone({ isHeldOver }: { isHeldOver: boolean }) {
  const restoring = useStudioState((state) => state.restoring);
  return (
    <div
      className={joinClasses(
        "plate relative flex min-h-80 flex-1 flex-col items-center justify-center rounded-md px-6 py-12 text-center transition-shadow md:min-h-104 lg:min-h-116",
        isHeldOver && "plate-lit",
      )}
    >
      <div aria-hidden className="plate-line pointer-events-none absolute inset-2.5 sm:inset-3.5" />
      <p className="font-serif text-3xl tracking-tight sm:text-[2.5rem]">
        {restoring > 0 ? (
          `Bringing back ${countOf(restoring, "image")}`
        ) : isHeldOver ? (
          "Drop to add"
        ) : (
          <>
            {/* Touch devices cannot drop files. */}
            <span className="[@media(hover:none)]:hidden">Drop images here</span>
            <span className="hidden [@media(hover:none)]:inline">Choose photos</span>
          </>
        )}
      </p>
      <p className="mt-2 text-muted [@media(hover:none)]:hidden">or paste them from the clipboard</p>
      <div className="mt-7 flex flex-wrap items-center justify-center gap-3">
        <FilePicker kind="primary" size="lg">
          Choose images
        </FilePicker>
        <FilePicker kind="secondary" size="lg" isFolder>
          Choose a folder
        </FilePicker>
      </div>
      <p className="mt-6 max-w-md text-sm text-balance text-muted">
        All image formats. <LimitsLine />
      </p>
      <SampleChoice />
    </div>
  );
}

/**
 * The caller's limits. The prerendered page shows a guest's. In a browser with an earlier sign-in they are hidden until the
 * session is known.
 */
function LimitsLine() {
  const allowance = useStudioState((state) => state.allowance);
  const caller = useStudioState((state) => state.caller);
  const callerLimits = limitsOf({ allowance, caller });
  const limitOf = (name: "megabytesPerFile" | "filesPerBatch") =>
    callerLimits ? callerLimits.limits[name] : planFact(`guest.${name}`, limits.guest[name]);
  return (
    <span className={joinClasses("whitespace-nowrap", !callerLimits && "in-data-session:invisible")}>
      Up to {limitOf("megabytesPerFile")} MB each, {limitOf("filesPerBatch")} at a time.
    </span>
  );
}
