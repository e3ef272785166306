import { aboutLead, namePlaceholder, ownAboutAttribute, productName } from "@tintype/contract";
import { Link } from "react-router";
import { brand } from "../lib/brand.ts";
import { pictureOf } from "../lib/pictures.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import { buttonClasses } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";

export const meta = () => pageMeta({ ...sitePages.about, structuredData: [breadcrumbs(sitePages.about)] });

/** `isSold`: not true where nothing is sold. */
const reasons: { title: string; body: string; isSold?: true }[] = [
  {
    title: "Exact",
    body: "Resizing in linear light, orientation applied, colour profiles kept, 16 bits where the format has them. Compressing never gives you a larger file.",
  },
  {
    title: "Private",
    body: "Originals and results are deleted from our servers once you have them, and no later than 15 minutes after processing. The location a photo was taken at is removed.",
  },
  {
    title: "Fair",
    isSold: true,
    body: "One image, one credit. If an image fails, its credit is returned. If nothing can be saved, you get the original back.",
  },
  {
    title: "Open to all",
    body: "By keyboard, by screen reader, by API. Everything the page does is one API call.",
  },
];

/** True while prerendering: the server removes what is true of Tintype only. */
const isTintype = brand.name === productName || brand.name === namePlaceholder;

export default function About() {
  return (
    <div className="page-width">
      <PageHead title="A studio for images" lead={isTintype ? aboutLead.ours : aboutLead.other} />
      {isTintype && (
        <img
          {...{ [ownAboutAttribute]: "" }}
          {...pictureOf("letter")}
          sizes="(min-width: 78rem) 75rem, 94vw"
          alt="A printed page about tintypes, titled One of a kind, with a red pencil on it"
          width={1280}
          height={548}
          fetchPriority="high"
          className="aspect-3/2 w-full rounded-lg bg-sunken object-cover sm:aspect-21/9"
        />
      )}
      <div className="mt-16 grid gap-x-16 gap-y-14 lg:grid-cols-2">
        <section aria-labelledby="what">
          <h2 id="what" className="text-3xl">
            What We Do
          </h2>
          <div className="mt-4 space-y-4 text-muted">
            <p>
              {brand.name} does five things with images: it compresses, resizes, upscales, cuts out and converts them,
              one or many at once. You can use it in the browser or through an API, and both use the same engine.
            </p>
            <p>
              We built the engine on well-known libraries. Neural networks on our own machines do the upscaling and
              background removal, so your images are never sent to anyone else.
            </p>
          </div>
        </section>
        <section aria-labelledby="mission">
          <h2 id="mission" className="text-3xl">
            Our Mission
          </h2>
          <div className="mt-4 space-y-4 text-muted">
            <p>
              Most of what travels over the web is images, and most of them are heavier, larger or rougher than they
              need to be. We want the right file to be the easy one to make.
            </p>
            <p>We only publish figures we have measured, and we say plainly what does not work.</p>
          </div>
        </section>
      </div>
      <section aria-labelledby="why" className="mt-20">
        <h2 id="why" className="text-3xl">
          Why {brand.name}
        </h2>
        <ul className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {reasons.map(({ title, body, isSold }) => (
            <li key={title} className={`${isSold ? "credits " : ""}rounded-lg border border-line bg-surface p-6`}>
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
          Try it with an image of your own.
          <span className="for-guests"> You do not need an account to start.</span> If something is wrong, missing or
          unclear, write to us.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <Link to="/" className={buttonClasses({ kind: "primary", size: "lg" })}>
            Go to the studio
          </Link>
          <Link to="/contact" className={buttonClasses({ size: "lg" })}>
            Write to us
          </Link>
        </div>
      </section>
    </div>
  );
}
