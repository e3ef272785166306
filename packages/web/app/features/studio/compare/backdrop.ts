import type { CSSProperties } from "react";

/** The ground behind the transparent parts of a result. */
export type Backdrop = { kind: "checkerboard" } | { kind: "colour"; colour: string };

/** For an element that lies under a result. */
export const backdropProps = (backdrop: Backdrop): { className?: string; style?: CSSProperties } =>
  backdrop.kind === "checkerboard" ? { className: "checkerboard" } : { style: { background: backdrop.colour } };
