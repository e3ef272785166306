import { slugOf } from "@tintype/contract";
import type { Reference } from "./reference.server.ts";

/** The reference's table of contents, beside it on wide screens. */
export function ReferenceContents({ groups }: { groups: Reference["groups"] }) {
  return (
    <nav aria-label="In this reference" className="hidden lg:block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div className="sticky top-20 max-h-[calc(100vh-6rem)] overflow-y-auto pr-2 pb-6 text-sm" tabIndex={0}>
        <Anchor title="Quick start" />
        <Anchor title="Limits" />
        {groups.map(({ group, calls }) => (
          <div key={group} className="mt-4">
            <Anchor title={group} />
            <ul className="border-l border-line">
              {calls.map(({ name, method, path }) => (
                <li key={name}>
                  <a href={`#${name}`} className="block truncate py-1 pl-3 font-mono text-xs text-muted hover:text-ink">
                    <span className="mr-1 inline-block w-9 text-[0.625rem]">{method} </span>
                    {path.replace("/api", "")}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <Anchor title="Errors" />
      </div>
    </nav>
  );
}

function Anchor({ title }: { title: string }) {
  return (
    <a href={`#${slugOf(title)}`} className="mt-4 mb-1 block rounded-sm py-0.5 font-medium first:mt-0 hover:underline">
      {title}
    </a>
  );
}
