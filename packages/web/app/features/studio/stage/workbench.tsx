import { useEffect, useRef } from "react";
import { joinClasses } from "../../../lib/join-classes.ts";
import { scrollBehavior } from "../../../lib/scroll-behavior.ts";
import { RunBar } from "../results/run-bar.tsx";
import { useStudioState } from "../studio-context.tsx";
import { PictureStrip } from "./picture-strip.tsx";
import { PlateBar } from "./plate-bar.tsx";
import { Refusals } from "./refusals.tsx";
import { Stage } from "./stage.tsx";

/** The plate with pictures on it, and what is being done to them. Default export: it is loaded by `lazy`. */
export default function Workbench({ isHeldOver }: { isHeldOver: boolean }) {
  const count = useStudioState((state) => state.pictures.length);
  const isSending = useStudioState(({ run }) => run?.phase === "sending");
  const bench = useRef<HTMLDivElement>(null);
  // On a phone the button that starts the work is a screen below what shows it.
  useEffect(() => {
    if (isSending) bench.current?.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }, [isSending]);
  return (
    <div ref={bench} className="flex min-w-0 flex-1 scroll-my-20 flex-col">
      <div
        className={joinClasses(
          "plate relative flex min-h-80 min-w-0 flex-1 flex-col overflow-hidden rounded-md md:min-h-104 lg:min-h-116",
          isHeldOver && "plate-lit",
        )}
      >
        <PlateBar />
        <Stage />
        {count > 1 && <PictureStrip />}
      </div>
      <Refusals />
      <RunBar />
    </div>
  );
}
