import { limits } from "@tintype/contract";
import { Link } from "react-router";
import { brand } from "../../lib/brand.ts";
import { planFact } from "../../lib/plan-fact.ts";

type Card = { title: string; body: string; to: string; link: string };

/** docs/product.md: a card for each group of users. */
const cards = (): readonly Card[] => [
  {
    title: "For designers",
    body: "Cut-outs with clean edges and full-resolution transparency. Colour profiles are kept. Compare before and after, pixel by pixel, before you save.",
    to: "/#removeBackground",
    link: "Remove a background",
  },
  {
    title: "For professionals",
    body: `A whole folder in one go: up to ${planFact("pro.filesPerBatch", limits.pro.filesPerBatch)} images per batch, with a report on every file. Failed files cost nothing and do not hold up the rest.`,
    to: "/#compress",
    link: "Compress a folder",
  },
  {
    title: "For developers",
    body: "Everything is available as an API: one call per tool, jobs with live progress, an OpenAPI document, and errors that say what to do.",
    to: "/api/docs",
    link: "Read the API reference",
  },
  {
    title: "For users",
    body: "A photo too large to upload, a HEIC that will not open, a small image for a large print. Try it without an account.",
    to: "/#convert",
    link: "Convert an image",
  },
];

export function Audience() {
  return (
    <section aria-labelledby="audience-title" className="page-width mt-24">
      <h2 id="audience-title" className="text-3xl sm:text-4xl">
        Who {brand.name} is for
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {cards().map(({ title, body, to, link }) => (
          <li key={title} className="flex flex-col border-t border-edge pt-5">
            <h3 className="text-xl">{title}</h3>
            <p className="mt-2 mb-4 text-pretty text-muted">{body}</p>
            <Link to={to} className="mt-auto self-start rounded-sm text-sm font-medium text-accent-ink hover:underline">
              {link}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
