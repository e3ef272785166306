import { Crop, Eye, Images, Paintbrush, SlidersHorizontal } from "lucide-react";
import { type ComponentProps, type ReactNode, type RefObject, Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { Button } from "../../../../ui/button.tsx";
import { Menu, MenuItem } from "../../../../ui/menu.tsx";
import { hasFrame } from "../../state/frame.ts";
import { hasCustomOptions } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import { isRunning } from "../../state/studio-state.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { hasParts, isPreviewed } from "../live/preview-request.ts";

const WebSetDialog = lazyChunk(() => import("../web-set/web-set-dialog.tsx"));
const CustomOptionsDialog = lazyChunk(() => import("../options/custom-options-dialog.tsx"));

/** The editing views of a picture. */
export type StageView = "frame" | "edit";

/** The view closed last, or the toggled live preview, until the focus is back on its button. */
export type FocusTarget = RefObject<StageView | "live" | undefined>;

type Props = {
  picture: Picture;
  /** A change of the cut-out is being applied. An edit must wait for its result. */
  isApplying?: boolean;
  isLive: boolean;
  /** Toggles the live preview. */
  onLive(): void;
  onView(view: StageView): void;
  focusTarget: FocusTarget;
};

/** Buttons for free actions on the stage's picture, before and after its run. */
export function StageTools({ picture, isApplying = false, isLive, onLive, onView, focusTarget }: Props) {
  const tool = useStudioState((state) => state.tool);
  const isWorking = useStudioState(isRunning);
  const isFramed = hasFrame(picture.frame);
  const isMany = useStudioState(({ pictures }) => pictures.length > 1);
  const isCustomised = hasCustomOptions(picture, tool);
  const [choosing, setChoosing] = useState<"open" | "closed">();
  const [webSet, setWebSet] = useState<"open" | "closed">();
  const { outcome, file, fault, sides, preview } = picture;
  if (isWorking) return null;
  const focusRef = (view: FocusTarget["current"]) => (button: HTMLButtonElement | null) => {
    if (!button || focusTarget.current !== view) return;
    focusTarget.current = undefined;
    button.focus({ preventScroll: true });
  };
  const viewButton = (view: StageView) => ({ onClick: () => onView(view), ref: focusRef(view) });
  const isEditable =
    outcome.kind === "done" && outcome.result.job !== undefined && outcome.result.name.includes("_bgremoved");
  const canFrame = file !== undefined && sides !== undefined && fault === undefined && preview.kind === "shown";
  return (
    <div className="flex items-center gap-1 sm:flex-wrap">
      {isEditable && (
        <Tool {...viewButton("edit")} disabled={isApplying} icon={<Paintbrush aria-hidden className="size-4" />}>
          Edit the cut-out
        </Tool>
      )}
      {isPreviewed(tool) && hasParts(picture) && (
        <Tool
          ref={focusRef("live")}
          onClick={onLive}
          aria-pressed={isLive}
          icon={<Eye aria-hidden className="size-4" />}
        >
          <span>
            Live<span className="sr-only"> preview</span>
          </span>
        </Tool>
      )}
      {canFrame && (
        <Tool {...viewButton("frame")} icon={<Crop aria-hidden className="size-4" />}>
          <span>
            Crop<span className="sr-only"> and rotate</span>
            {isFramed && " · on"}
          </span>
        </Tool>
      )}
      {file !== undefined && fault === undefined && (
        <Menu label="More" aria-label={isCustomised ? "More tools · custom options on" : "More tools"}>
          {isMany && (
            <MenuItem
              icon={<SlidersHorizontal aria-hidden className="size-4" />}
              isOn={isCustomised}
              onClick={() => setChoosing("open")}
            >
              Custom options
            </MenuItem>
          )}
          <MenuItem icon={<Images aria-hidden className="size-4" />} onClick={() => setWebSet("open")}>
            Web set
          </MenuItem>
        </Menu>
      )}
      {/* A closed dialog stays mounted, so that the browser can restore the focus. */}
      {webSet &&
        file &&
        createPortal(
          <Suspense fallback={null}>
            <WebSetDialog {...{ picture, file }} isOpen={webSet === "open"} onClose={() => setWebSet("closed")} />
          </Suspense>,
          document.body,
        )}
      {/* In a portal, because the plate is dark in both colour schemes. */}
      {choosing &&
        createPortal(
          <Suspense fallback={null}>
            <CustomOptionsDialog
              pictures={[picture]}
              isOpen={choosing === "open"}
              onClose={() => setChoosing("closed")}
            />
          </Suspense>,
          document.body,
        )}
    </div>
  );
}

type ToolProps = Pick<ComponentProps<"button">, "onClick" | "ref" | "disabled" | "children" | "aria-pressed"> & {
  icon: ReactNode;
};

function Tool({ icon, children, ...button }: ToolProps) {
  return (
    <Button
      kind="quiet"
      size="sm"
      {...button}
      className="px-2 max-sm:[&>svg]:hidden aria-pressed:bg-line aria-pressed:text-ink"
    >
      {icon}
      {children}
    </Button>
  );
}
