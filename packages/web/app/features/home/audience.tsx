import { limits, productName } from "@tintype/contract";
import { Link } from "react-router";

type Card = { title: string; body: string; to: string; link: string };

/** docs/product.md: a card for each kind of people the product is for. */
const cards: readonly Card[] = [
  {
    title: "For designers",
    body: "Cut-outs with clean edges, alpha at full resolution, colour profiles kept. Compare pixel by pixel before you save.",
    to: "/#removeBackground",
    link: "Cut out a picture",
  },
  {
    title: "For professionals",
    body: `A folder at once, up to ${limits.pro.filesPerBatch} pictures in one batch, with a report of every file. What fails costs nothing and spoils nothing.`,
    to: "/#compress",
    link: "Compress a folder",
  },
  {
    title: "For developers",
    body: "The whole product is an API: one call a tool, jobs with live progress, an OpenAPI document, errors that say what to do.",
    to: "/api/docs",
    link: "Read the reference",
  },
  {
    title: "For users",
    body: "A photograph too large for a form, a HEIC that does not open, a small picture for a large frame. No account needed to try.",
    to: "/#convert",
    link: "Convert a picture",
  },
];

export function Audience() {
  return (
    <section aria-labelledby="audience-title" className="page-width mt-24">
      <h2 id="audience-title" className="text-3xl sm:text-4xl">
        Who {productName} is for
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {cards.map(({ title, body, to, link }) => (
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
