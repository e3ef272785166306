import { guestCreditsPerNetworkDay, slugOf } from "@tintype/contract";
import type { ReactNode } from "react";
import { buttonClasses } from "../../ui/button.tsx";
import { CallSection } from "./call-section.tsx";
import { CodeBlock } from "./code-block.tsx";
import { LimitsTable } from "./limits-table.tsx";
import type { Reference } from "./reference.server.ts";

export function ReferenceView({ reference }: { reference: Reference }) {
  const { quickStart, programs, groups, errors } = reference;
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
          <Part title="From a program">
            <p className="text-muted">
              The same call in four languages, without further packages. Each takes the token or key from TOKEN, and
              ends with the sentence of the error if there is one. For JavaScript and TypeScript there is also a client
              with retries and progress, @tintype/client.
            </p>
            {programs.map(({ language, file, command, code }) => (
              <section key={language} aria-labelledby={`program-${slugOf(language)}`} className="mt-8">
                <h3 id={`program-${slugOf(language)}`} className="text-xl">
                  {language}
                </h3>
                <p className="mt-2 mb-4 text-muted">
                  Save it as {file}, and run it with <code className="font-mono text-[0.875em]">{command}</code>.
                </p>
                <CodeBlock code={code} label={`${language}, ${file}`} />
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

/** Every error code. A problem's `type` links here. */
function ErrorList({ errors }: { errors: Reference["errors"] }) {
  return (
    <dl className="mt-6">
      {errors.map(({ code, status, title, detail, retryable }) => (
        <div
          key={code}
          id={`error-${code}`}
          className="scroll-mt-24 border-t border-line py-4 target:rounded-md target:bg-sunken target:px-4 sm:grid sm:grid-cols-[13rem_1fr] sm:gap-6"
        >
          <dt>
            <a href={`#error-${code}`} className="rounded-sm font-mono text-[0.8125rem] font-medium hover:underline">
              {code}
            </a>
            <span className="block text-sm text-muted">
              {status} · {title}
            </span>
          </dt>
          <dd className="mt-1 text-sm sm:mt-0">
            {detail}
            <span className="block text-muted">
              {retryable ? "The same request may succeed later." : "The same request will not succeed."}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The reference's table of contents, beside it on wide screens. */
function ReferenceContents({ groups }: { groups: Reference["groups"] }) {
  return (
    <nav aria-label="In this reference" className="hidden lg:block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div className="sticky top-20 max-h-[calc(100vh-6rem)] overflow-y-auto pr-2 pb-6 text-sm" tabIndex={0}>
        <Anchor title="Quick start" />
        <Anchor title="From a program" />
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
