import { Link } from "react-router";
import { BeforeAfter } from "../../ui/before-after.tsx";
import type { Example } from "./examples.server.ts";

/** Results of the tools on our own samples. */
export function Examples({ examples }: { examples: readonly Example[] }) {
  return (
    <section aria-labelledby="examples-title" className="page-width mt-24">
      <h2 id="examples-title" className="text-3xl sm:text-4xl">
        Before and after
      </h2>
      <p className="mt-3 max-w-2xl text-muted">Our own photos, run through our own tools. Drag the line.</p>
      <ul className="mt-8 grid gap-x-6 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
        {examples.map((example) => (
          <li key={example.tool}>
            <ExamplePicture example={example} />
            <h3 className="mt-4 text-xl">
              <Link to={example.to} className="rounded-sm hover:underline">
                {example.tool}
              </Link>
            </h3>
            <p className="mt-1.5 text-sm text-pretty text-muted">{example.caption}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A tool's result on one of our own samples, before and after. */
export function ExamplePicture({ example }: { example: Example }) {
  const { tool, before, after, isEnlarged, widthPx, heightPx } = example;
  return (
    <BeforeAfter
      label={`${tool}: before and after`}
      {...{ before, after, widthPx, heightPx }}
      {...(isEnlarged && { imageClassName: "[image-rendering:pixelated]" })}
    />
  );
}
