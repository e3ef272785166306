import { productName } from "@tintype/contract";
import { Link } from "react-router";
import { pictureOf } from "../lib/pictures.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import { buttonClasses } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";

export const meta = () => pageMeta({ ...sitePages.about, structuredData: [breadcrumbs(sitePages.about)] });

const reasons = [
  {
    title: "Exact",
    body: "Shrinking in linear light, orientation applied, colour profiles kept, sixteen bits where a format holds them. Compressing never gives you a larger file.",
  },
  {
    title: "Private",
    body: "Originals and results are deleted once you have them, at the latest fifteen minutes after the work ended. Where a photograph was taken is removed from it.",
  },
  {
    title: "Fair",
    body: "One picture, one credit. A picture that fails gives its credit back, and one that would gain nothing comes back as it was.",
  },
  {
    title: "Open to all",
    body: "By keyboard, by screen reader, by API. Everything the page can do, a program can do with one call.",
  },
] as const;

export default function About() {
  return (
    <div className="page-width">
      <PageHead
        title="A studio for pictures"
        lead="A tintype is a photograph on a thin dark plate, made while you wait. That is the idea: you bring a picture, and a moment later you have it, done properly."
      />
      <img
        {...pictureOf("letter")}
        sizes="(min-width: 78rem) 75rem, 94vw"
        alt="A printed page about tintypes, headed One of a kind, with a red pencil on it"
        width={1280}
        height={548}
        fetchPriority="high"
        className="aspect-3/2 w-full rounded-lg bg-sunken object-cover sm:aspect-21/9"
      />
      <div className="mt-16 grid gap-x-16 gap-y-14 lg:grid-cols-2">
        <section aria-labelledby="what">
          <h2 id="what" className="text-3xl">
            What We Do
          </h2>
          <div className="mt-4 space-y-4 text-muted">
            <p>
              {productName} does five things to pictures: it compresses, resizes, upscales, cuts out and converts them,
              one or many at once. It runs in the browser for people and over HTTP for programs, and both go the same
              way.
            </p>
            <p>
              The engine is our own work on top of well-known libraries. Upscaling and cutting out are done by neural
              networks that run on our machines; your pictures are sent to nobody else for it.
            </p>
          </div>
        </section>
        <section aria-labelledby="mission">
          <h2 id="mission" className="text-3xl">
            Our Mission
          </h2>
          <div className="mt-4 space-y-4 text-muted">
            <p>
              Pictures are most of what travels over the web, and most of them travel heavier, larger or rougher than
              they need to. We want the right file to be the easy one.
            </p>
            <p>
              We publish what we measure together with how to measure it again, and say plainly what does not work. If a
              figure stands on one of our pages, you can run it yourself.
            </p>
          </div>
        </section>
      </div>
      <section aria-labelledby="why" className="mt-20">
        <h2 id="why" className="text-3xl">
          Why {productName}
        </h2>
        <ul className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {reasons.map(({ title, body }) => (
            <li key={title} className="rounded-lg border border-line bg-surface p-6">
              <h3 className="text-xl">{title}</h3>
              <p className="mt-2 text-pretty text-muted">{body}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="join" className="mt-20 rounded-lg bg-sunken p-8 sm:p-12">
        <h2 id="join" className="text-3xl">
          Join Us
        </h2>
        <p className="mt-4 max-w-2xl text-muted">
          Try it with a picture of your own; no account is needed to begin. If something is wrong, missing, or could be
          said more plainly, write to us.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <Link to="/" className={buttonClasses({ kind: "primary", size: "lg" })}>
            To the studio
          </Link>
          <Link to="/contact" className={buttonClasses({ size: "lg" })}>
            Write to us
          </Link>
        </div>
      </section>
    </div>
  );
}
