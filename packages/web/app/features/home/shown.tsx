import { tasks } from "@tintype/contract";
import { Link } from "react-router";
import { formatBytes } from "../../lib/size.ts";
import { BeforeAfter } from "../../ui/before-after.tsx";
import examples from "./examples.json" with { type: "json" };

const files = import.meta.glob<string>("../../pictures/examples/*.webp", {
  query: "?url",
  import: "default",
  eager: true,
});
const pictureAt = (name: string): string => {
  const url = files[`../../pictures/examples/${name}.webp`];
  if (!url) throw new Error(`There is no example "${name}"`);
  return url;
};

type Example = {
  name: "compress" | "upscale" | "cutout";
  tool: string;
  to: string;
  before: string;
  after: string;
  told: string;
  isEnlarged?: boolean;
};

const { compress, upscale, width: widthPx, height: heightPx } = examples;
const share = Math.round((1 - compress.afterBytes / compress.beforeBytes) * 100);
const sizeOf = (times: number) =>
  `${(upscale.widthPx * times).toLocaleString("en")} × ${(upscale.heightPx * times).toLocaleString("en")} px`;

const shown: readonly Example[] = [
  {
    name: "compress",
    tool: tasks.compress.label,
    to: "/#compress",
    before: formatBytes(compress.beforeBytes),
    after: formatBytes(compress.afterBytes),
    told: `A JPEG at quality ${compress.quality}: ${share} % of the bytes are gone.`,
  },
  {
    name: "upscale",
    tool: tasks.upscale.label,
    to: "/#upscale",
    before: "Before",
    after: `${upscale.factor}×`,
    told: `From ${sizeOf(1)} to ${sizeOf(upscale.factor)}, drawn anew by a neural network.`,
    isEnlarged: true,
  },
  {
    name: "cutout",
    tool: tasks["remove-background"].label,
    to: "/#removeBackground",
    before: "Before",
    after: "Cut out",
    told: "Hair keeps its softness, and the old ground is taken out of its colour.",
  },
];

/** What the tools did to our own samples. scripts/pictures/examples.mjs had a running server do it. */
export function Shown() {
  return (
    <section aria-labelledby="shown-title" className="page-width mt-24">
      <h2 id="shown-title" className="text-3xl sm:text-4xl">
        Before and after
      </h2>
      <p className="mt-3 max-w-2xl text-muted">Our own pictures through our own tools. Move the line.</p>
      <ul className="mt-8 grid gap-x-6 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
        {shown.map(({ name, tool, to, before, after, told, isEnlarged }) => (
          <li key={name}>
            <BeforeAfter
              label={`${tool}: before and after`}
              before={{ src: pictureAt(`${name}-before`), label: before }}
              after={{ src: pictureAt(`${name}-after`), label: after }}
              widthPx={widthPx}
              heightPx={heightPx}
              {...(isEnlarged && { imageClassName: "[image-rendering:pixelated]" })}
            />
            <h3 className="mt-4 text-xl">
              <Link to={to} className="rounded-sm hover:underline">
                {tool}
              </Link>
            </h3>
            <p className="mt-1.5 text-sm text-pretty text-muted">{told}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
