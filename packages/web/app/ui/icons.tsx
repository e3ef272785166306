import type { ReactNode } from "react";

export type IconProps = { className?: string | undefined };

// Our own icons on a grid of 20, for the first view of a page. lucide, which the rest uses, costs 2 KB of script before its first icon.

const icon = (shape: ReactNode) =>
  function Icon({ className }: IconProps) {
    return (
      <svg
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className={className}
      >
        {shape}
      </svg>
    );
  };

/** Two jaws closing on a plate. */
export const CompressIcon = icon(<path d="M10 2v4.5M7.5 4.5 10 7l2.5-2.5M10 18v-4.5M7.5 15.5 10 13l2.5 2.5M3 10h14" />);
/** A small frame inside a large one. */
export const ResizeIcon = icon(
  <path d="M8 3H4.5A1.5 1.5 0 0 0 3 4.5V8M12 17h3.5a1.5 1.5 0 0 0 1.5-1.5V12M17 3l-5.5 5.5M17 7V3h-4M3 17l5.5-5.5M3 13v4h4" />,
);
/** A pixel that becomes a block of pixels. */
export const UpscaleIcon = icon(<path d="M3 12.5h4.5V17H3zM7.5 8.5V3H17v9.5h-5.5M10.5 9.5l3.5-3.5M11 6h3v3" />);
/** A subject with a dashed background. */
export const CutOutIcon = icon(
  <>
    <path
      d="M3 6V4.5A1.5 1.5 0 0 1 4.5 3H6M14 3h1.5A1.5 1.5 0 0 1 17 4.5V6M17 14v1.5M3 14v1.5M9 3h2"
      strokeDasharray="2.5 2"
    />
    <circle cx="10" cy="8.5" r="2.75" />
    <path d="M4.5 17c.7-2.8 2.8-4.25 5.5-4.25s4.8 1.45 5.5 4.25z" />
  </>,
);
/** One plate turning into another. */
export const ConvertIcon = icon(
  <path d="M3 9a5 5 0 0 1 5-5h8M13.5 1.5 16 4l-2.5 2.5M17 11a5 5 0 0 1-5 5H4M6.5 18.5 4 16l2.5-2.5" />,
);
/** A letter in the corner of a plate. */
export const WatermarkIcon = icon(
  <path d="M17 9V4.5A1.5 1.5 0 0 0 15.5 3h-11A1.5 1.5 0 0 0 3 4.5v11A1.5 1.5 0 0 0 4.5 17H8M10.5 17.5l3.5-8 3.5 8M11.8 14.75h4.4" />,
);
export const MoonIcon = icon(<path d="M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z" />);
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.25" />
    <path d="M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.35 4.35l1.05 1.05M14.6 14.6l1.05 1.05M4.35 15.65l1.05-1.05M14.6 5.4l1.05-1.05" />
  </>,
);
export const MenuIcon = icon(<path d="M3 6h14M3 10h14M3 14h14" />);
export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const AlertIcon = icon(
  <>
    <circle cx="10" cy="10" r="7.5" />
    <path d="M10 6.5V11M10 13.5v.01" />
  </>,
);
export const ChevronIcon = icon(<path d="m5 7.5 5 5 5-5" />);
export const PauseIcon = icon(<path d="M7 4.5v11M13 4.5v11" />);
export const PlayIcon = icon(<path d="M6.5 4.5v11l9-5.5z" />);
