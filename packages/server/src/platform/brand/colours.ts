/** The page backgrounds behind the accent (tokens.css), the least favourable of each theme. */
const backgrounds = {
  paper: ["#fbf9f6", "#ffffff", "#f3efe9"],
  darkroom: ["#141110", "#1c1816", "#231e1b"],
} as const;
type Light = keyof typeof backgrounds;

/** WCAG 2.2: 1.4.11 for outlines and graphics, 1.4.3 for text. */
const minContrast = { outline: 3, text: 4.5 } as const;

/** Text on a filled button. */
const onFills = { light: "#ffffff", dark: "#1a0d09" } as const;

export type Accent = { accent: string; fill: string; fillHover: string; onFill: string; text: string };
export type AccentColours = Record<Light, Accent>;

/** An accent with too little contrast. `light` names the theme. */
export class ContrastError extends Error {
  readonly light: Light;
  constructor(light: Light, message: string) {
    super(message);
    this.name = "ContrastError";
    this.light = light;
  }
}

/**
 * The page colours derived from an accent for each theme. The accent itself outlines the focused element. Accent text and
 * filled buttons get readable shades.
 * @throws ContrastError when the accent is too close to a background
 */
export function accentColours(given: Record<Light, string>): AccentColours {
  return { paper: accentIn("paper", given.paper), darkroom: accentIn("darkroom", given.darkroom) };
}

function accentIn(light: Light, accent: string): Accent {
  const behind = backgrounds[light];
  const [worst = behind[0]] = [...behind].sort((one, other) => contrastOf(accent, one) - contrastOf(accent, other));
  const ratio = contrastOf(accent, worst);
  if (ratio < minContrast.outline)
    throw new ContrastError(
      light,
      `${accent} has a contrast of ${ratio.toFixed(1)}:1 on ${worst}, and ${minContrast.outline}:1 is the least at which it can be seen (WCAG 2.2, 1.4.11). Choose a ${light === "paper" ? "darker" : "lighter"} one`,
    );
  const away = light === "paper" ? "#000000" : "#ffffff";
  const text = firstOf(accent, away, (colour) => behind.every((one) => contrastOf(colour, one) >= minContrast.text));
  const onFill = contrastOf(accent, onFills.light) >= contrastOf(accent, onFills.dark) ? onFills.light : onFills.dark;
  const awayFromText = onFill === onFills.light ? "#000000" : "#ffffff";
  const fill = firstOf(accent, awayFromText, (colour) => contrastOf(colour, onFill) >= minContrast.text);
  return { accent, fill, fillHover: mix(fill, awayFromText, 0.14), onFill, text };
}

/** The colour, or the nearest acceptable one on the way to another. */
function firstOf(from: string, to: string, isRight: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const colour = mix(from, to, share);
    if (isRight(colour)) return colour;
  }
  return to;
}

const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((index) => Number.parseInt(colour.slice(index, index + 2), 16));

function mix(from: string, to: string, share: number): string {
  const target = channelsOf(to);
  const mixed = channelsOf(from).map((value, index) => Math.round(value + ((target[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** WCAG 2.2's contrast ratio, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
