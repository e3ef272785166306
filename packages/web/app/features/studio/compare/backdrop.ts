import type { CSSProperties } from "react";

/** What shows through where a result is transparent. */
export type Backdrop = { kind: "checkerboard" } | { kind: "colour"; colour: string };

/** For an element that lies under a result. */
export const backdropProps = (backdrop: Backdrop): { className?: string; style?: CSSProperties } =>
  backdrop.kind === "checkerboard" ? { className: "checkerboard" } : { style: { background: backdrop.colour } };
