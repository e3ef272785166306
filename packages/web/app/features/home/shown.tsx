import { Link } from "react-router";
import { ExamplePicture } from "./example-picture.tsx";
import type { Example } from "./examples.server.ts";

/** Results of the tools on our own samples. */
export function Shown({ examples }: { examples: readonly Example[] }) {
  return (
    <section aria-labelledby="shown-title" className="page-width mt-24">
      <h2 id="shown-title" className="text-3xl sm:text-4xl">
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
