import { type ComponentProps, type RefObject, useRef } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { type CompareView, Tag } from "./compare-view.tsx";
import { drawnSize } from "./fit-box.ts";
import { useBox } from "./use-box.ts";

type Props = Omit<ComponentProps<typeof CompareView>, "beforeUrl" | "hasLens" | "reveal"> & { beforeUrl: string };

/** Before and after side by side, stacked on a phone, with synchronised scrolling. */
export function SideBySide({ beforeUrl, beforeFit, afterUrl, sides, alt, zoom }: Props) {
  const [before, box] = useBox<HTMLElement>();
  const after = useRef<HTMLElement>(null);
  const drawn = box && drawnSize({ sides, stage: box, zoom, density: window.devicePixelRatio });
  const follow = (from: RefObject<HTMLElement | null>, to: RefObject<HTMLElement | null>) => () => {
    if (!from.current || !to.current) return;
    const { scrollLeft: left, scrollTop: top } = from.current;
    if (to.current.scrollLeft !== left || to.current.scrollTop !== top) to.current.scrollTo(left, top);
  };
  const pane = joinClasses("absolute inset-0 flex", zoom === "fit" ? "overflow-hidden" : "overflow-auto");
  return (
    <div className="grid min-h-0 flex-1 gap-2 p-3 max-sm:grid-rows-2 sm:grid-cols-2">
      <div className="relative min-h-0">
        <section
          ref={before}
          tabIndex={zoom === "fit" ? -1 : 0}
          aria-label={`${alt}, before`}
          className={pane}
          onScroll={follow(before, after)}
        >
          <div className="checkerboard m-auto shrink-0" style={drawn}>
            <img
              src={beforeUrl}
              alt={`${alt}, before`}
              draggable={false}
              className="size-full"
              style={{ objectFit: beforeFit }}
            />
          </div>
        </section>
        <Tag className="top-2 left-2">Before</Tag>
      </div>
      <div className="relative min-h-0">
        <section
          ref={after}
          tabIndex={zoom === "fit" ? -1 : 0}
          aria-label={`${alt}, after`}
          className={pane}
          onScroll={follow(after, before)}
        >
          <div className="checkerboard m-auto shrink-0" style={drawn}>
            <img src={afterUrl} alt={`${alt}, after`} draggable={false} className="size-full" />
          </div>
        </section>
        <Tag className="top-2 left-2">After</Tag>
      </div>
    </div>
  );
}
