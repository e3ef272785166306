import { planLabels } from "@tintype/contract";
import { type FormEvent, useCallback, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import { useRead } from "../../lib/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { ReadState } from "../../ui/read-state.tsx";

/** Finds people by email, or by the id of an account, payment, subscription, job or a job's request. */
export function PeopleSearch() {
  const [search, setSearch] = useSearchParams();
  const query = search.get("q") ?? "";
  const [words, setWords] = useState(query);
  function submit(event: FormEvent) {
    event.preventDefault();
    setSearch(words.trim() ? { q: words.trim() } : {});
  }
  return (
    <>
      <search>
        <form onSubmit={submit} className="flex max-w-2xl flex-wrap items-end gap-3">
          <TextField
            className="min-w-56 grow"
            label="Email, or ID of an account, payment, subscription, job or request"
            type="search"
            autoComplete="off"
            maxLength={320}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <Button type="submit" kind="primary" size="lg" className="min-h-11">
            Find
          </Button>
        </form>
      </search>
      {query && <SearchResults key={query} words={query} />}
    </>
  );
}

function SearchResults({ words }: { words: string }) {
  const api = useApi();
  const { data, problem, read } = useRead(
    useCallback((signal) => api.call("GET /admin/people", { query: { q: words }, signal }), [api, words]),
  );
  return (
    <section aria-labelledby="found" className="mt-10">
      <h2 id="found" className="text-2xl">
        Found
      </h2>
      <ReadState {...{ data, problem, read }} />
      <div role="status">
        {data?.people.length === 0 && <p className="mt-4 text-muted">No results. Check the spelling.</p>}
      </div>
      {data && data.people.length > 0 && (
        <ul className="mt-2 divide-y divide-line">
          {data.people.map(({ id, email, name, plan, created_at, blocked_at, email_verified }) => (
            <li key={id} className="py-4">
              <Link
                to={`/admin?person=${encodeURIComponent(id)}`}
                className="font-medium underline underline-offset-2 wrap-anywhere hover:text-accent-ink"
              >
                {email || id}
              </Link>
              <p className="mt-1 text-sm text-muted wrap-anywhere">
                {[
                  name === email ? "" : name,
                  planLabels[plan],
                  email_verified ? "" : "address not verified",
                  `since ${formatMoment(created_at)}`,
                  blocked_at ? "blocked" : "",
                ]
                  .filter(Boolean)
                  .join(", ")}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
