import { guestCreditsPerNetworkDay, slugOf } from "@tintype/contract";
import type { ReactNode } from "react";
import { buttonClasses } from "../../ui/button.tsx";
import { CallSection } from "./call-section.tsx";
import { CodeBlock } from "./code-block.tsx";
import { ErrorList } from "./error-list.tsx";
import { LimitsTable } from "./limits-table.tsx";
import type { Reference } from "./reference.server.ts";
import { ReferenceContents } from "./reference-contents.tsx";

export function ReferenceView({ reference }: { reference: Reference }) {
  const { quickStart, groups, errors } = reference;
  return (
    <div className="page-width">
      <div className="pt-10 pb-8 sm:pt-16 sm:pb-12">
        <h1 className="text-[clamp(2.25rem,5vw,3.5rem)]">API reference</h1>
        <p className="mt-4 max-w-2xl text-lg text-pretty text-muted">
          Images in, images out. These are the calls the studio itself makes, and you can try them without an account.
        </p>
        <a href="/api/openapi.json" className={`${buttonClasses()} mt-6`}>
          OpenAPI document (JSON)
        </a>
      </div>
      <div className="gap-16 lg:grid lg:grid-cols-[17rem_minmax(0,48rem)]">
        <ReferenceContents groups={groups} />
        <div className="min-w-0">
          <Part title="Quick start">
            {quickStart.map(({ id, title, words, shell }) => (
              <section key={id} aria-labelledby={`start-${id}`} className="mt-8 first:mt-4">
                <h3 id={`start-${id}`} className="text-xl">
                  {title}
                </h3>
                <p className="mt-2 mb-4 text-muted">{words}</p>
                <CodeBlock code={shell} label={title} />
              </section>
            ))}
          </Part>
          <Part title="Limits">
            <p className="text-muted">
              One image costs one credit, whatever the tool. Days and months are calendar ones in UTC. All guests on one
              network share {guestCreditsPerNetworkDay} credits a day.
            </p>
            <LimitsTable />
          </Part>
          {groups.map(({ group, calls }) => (
            <Part key={group} title={group}>
              {calls.map((call) => (
                <CallSection key={call.name} call={call} />
              ))}
            </Part>
          ))}
          <Part title="Errors">
            <p className="text-muted">
              Every error is <code className="font-mono text-[0.875em]">application/problem+json</code> (RFC 9457):
              type, title, status, code, detail, retryable and requestId, and field where one is meant. The detail is a
              sentence for a person; branch on the code, which is one of these.
            </p>
            <ErrorList errors={errors} />
          </Part>
        </div>
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = slugOf(title);
  return (
    <section aria-labelledby={id} className="not-first:mt-16">
      <h2 id={id} className="mb-4 scroll-mt-24 text-3xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
