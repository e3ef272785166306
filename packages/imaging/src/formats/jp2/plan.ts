import { DomainError, type Note, type Reason } from "@tintype/contract";
import { broken, type Codestream, type Component, sizeAt } from "./codestream.ts";
import type { Channel, ChannelMeaning, Colours, Jp2 } from "./container.ts";

export type Jp2ColourSpace = "grey" | "rgb" | "ycc" | "cmyk";

/** How the channels are converted. */
export type ChannelPlan = {
  space: Jp2ColourSpace;
  profile?: Uint8Array | undefined;
  colours: Channel[];
  alpha?: Channel | undefined;
  isPremultiplied: boolean;
  /** The smallest subsampling factors of the used components, and the dimensions at these. */
  grid: { across: number; down: number };
  size: { width: number; height: number };
  notes: Note[];
};

/** The colours, then alpha. */
export const channelsOf = ({ colours, alpha }: Pick<ChannelPlan, "colours" | "alpha">): Channel[] => [
  ...colours,
  ...(alpha ? [alpha] : []),
];

/** EnumCS of ISO/IEC 15444-1, I.5.3.3, and of 15444-2, M.11.7.3. */
const numbered: Record<number, Jp2ColourSpace> = { 12: "cmyk", 16: "rgb", 17: "grey", 18: "ycc" };
const unreadNames: Record<number, string> = {
  0: "bi-level (white is 0)",
  1: "YCbCr(1)",
  3: "YCbCr(2)",
  4: "YCbCr(3)",
  9: "PhotoYCC",
  11: "CMY",
  13: "YCCK",
  14: "CIELab",
  15: "bi-level (black is 0)",
  19: "CIEJab",
  20: "e-sRGB",
  21: "ROMM-RGB",
  24: "e-sYCC",
};
const ofProfiles: Record<string, Jp2ColourSpace> = { GRAY: "grey", RGB: "rgb", CMYK: "cmyk" };
const counts = { grey: 1, rgb: 3, ycc: 3, cmyk: 4 } as const satisfies Record<Jp2ColourSpace, number>;

const maxBits = 16;

/**
 * Chooses the channels to decode and determines their meaning.
 * @throws broken-image if channels are missing, cannot-process naming the unsupported feature
 */
export function planChannels(file: Jp2, codestream: Codestream): ChannelPlan {
  const { components } = codestream;
  const channels = file.channels ?? components.map((_, component): Channel => ({ component }));
  const described = file.colours.find(isRead) ?? file.colours[0];
  const space = spaceOf(described, channels, components);
  const { colours, alpha, isPremultiplied } = chooseChannels(channels, { space, file });
  const used = channelsOf({ colours, alpha });
  const sources = used.map(({ component, column }) => {
    const source = components[component] ?? broken("a channel has no component");
    if (column !== undefined && !file.palette?.columns[column]) broken("a channel has no column in the palette");
    const bits = Math.max(source.bits, file.palette?.bits[column ?? -1] ?? 0);
    if (bits > maxBits) refuse({ code: "jp2-depth", bits, limit: maxBits });
    return source;
  });
  const grid = {
    across: Math.min(...sources.map(({ across }) => across)),
    down: Math.min(...sources.map(({ down }) => down)),
  };
  const left = channels.length - used.length;
  return {
    space,
    profile: space !== "ycc" && described && "profile" in described ? described.profile : undefined,
    ...{ colours, alpha, isPremultiplied, grid },
    size: sizeAt(codestream, grid),
    notes: [
      ...(file.hasUnknownColours ? [{ code: "colour-space-assumed" } as const] : []),
      ...(left > 0 ? [{ code: "channels-left-out", count: left } as const] : []),
    ],
  };
}

/** A JPX may have several colour specifications, the preferred one first. */
const isRead = (colours: Colours): boolean =>
  "profile" in colours ? colours.space in ofProfiles : colours.number in numbered;

function spaceOf(colours: Colours | undefined, channels: Channel[], components: Component[]): Jp2ColourSpace {
  if (colours) return namedSpace(colours);
  if (channels.length < 3) return "grey";
  const [first, second] = channels.map(({ component }) => components[component]);
  // The same heuristic as OpenJPEG's.
  return first && second && second.across > first.across ? "ycc" : "rgb";
}

function namedSpace(colours: Colours): Jp2ColourSpace {
  if ("profile" in colours) return ofProfiles[colours.space] ?? refuse({ code: "jp2-profile", space: colours.space });
  const space = unreadNames[colours.number] ?? colours.number;
  return numbered[colours.number] ?? refuse({ code: "jp2-colour-space", space });
}

function chooseChannels(channels: Channel[], { space, file }: { space: Jp2ColourSpace; file: Jp2 }) {
  const meaningOf = (index: number): ChannelMeaning | undefined => file.meanings?.get(index);
  const needed = counts[space];
  const colourOf = (index: number) => {
    const meaning = meaningOf(index) ?? { colour: "any" };
    return typeof meaning === "object" && "colour" in meaning ? meaning.colour : undefined;
  };
  const free = channels.filter((_, index) => colourOf(index) === "any");
  const colours = Array.from(
    { length: needed },
    (_, i) => channels.find((_, index) => colourOf(index) === i + 1) ?? free.shift(),
  );
  const found = colours.flatMap((channel) => channel ?? []);
  if (found.length < needed) broken(`${needed - found.length} colours are missing`);
  const opacity = [...channels.keys()].map(meaningOf).findIndex((one) => typeof one === "object" && "opacity" in one);
  // Without definitions, as in a bare codestream and in what Pillow writes, by convention the channel after the colours
  // is opacity.
  const alpha = file.meanings ? channels[opacity] : channels[needed];
  const meaning = meaningOf(opacity);
  const isPremultiplied =
    typeof meaning === "object" && "opacity" in meaning && meaning.opacity === "premultiplied" && space !== "cmyk";
  return { colours: found, alpha, isPremultiplied };
}

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}
