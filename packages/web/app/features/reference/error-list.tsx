import type { Reference } from "./reference.server.ts";

/** Every error code. A problem's `type` links here. */
export function ErrorList({ errors }: { errors: Reference["errors"] }) {
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
