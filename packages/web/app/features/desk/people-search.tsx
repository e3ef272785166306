import { type ListedPerson, type PeopleOrder, planLabels } from "@tintype/contract";
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { countOf } from "../../lib/size.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { PagedList } from "../../ui/paged-list.tsx";

/** All people, or those found by email or name, or by the id of an account, payment, subscription, job or a job's request. */
export function PeopleSearch() {
  const [search, setSearch] = useSearchParams();
  const query = search.get("q") ?? "";
  const [words, setWords] = useState(query);
  const [sort, setSort] = useState<PeopleOrder>("newest");
  function submit(event: FormEvent) {
    event.preventDefault();
    setSearch(words.trim() ? { q: words.trim() } : {});
  }
  return (
    <>
      <search>
        <form onSubmit={submit} className="flex max-w-3xl flex-wrap items-end gap-3">
          <TextField
            className="min-w-56 grow"
            label="Email, name, or ID of an account, payment, subscription, job or request"
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
      {!query && (
        <SelectField
          className="mt-8 max-w-56"
          label="Order"
          options={[
            { value: "newest", label: "Newest first" },
            { value: "most-used", label: "Most used this month" },
          ]}
          value={sort}
          onChoose={setSort}
        />
      )}
      <People key={`${query} ${sort}`} words={query} sort={query ? "newest" : sort} />
    </>
  );
}

function People({ words, sort }: { words: string; sort: PeopleOrder }) {
  const api = useApi();
  const [total, setTotal] = useState<number>();
  const load: Loader<ListedPerson> = async (before, signal) => {
    const query = { sort, before, size: 20, ...(words ? { q: words } : {}) };
    const found = await api.call("GET /admin/people", { query, signal });
    setTotal(found.total);
    return { rows: found.people, next: found.next };
  };
  const none = words ? "No results. Check the spelling." : "Nobody has used anything this month.";
  return (
    <section aria-labelledby="found" className="mt-10">
      <h2 id="found" className="text-2xl">
        {words ? "Found" : "People"}
        {total !== undefined && total > 0 && (
          <span className="ml-3 font-sans text-base text-muted">{countOf(total, "person", "people")}</span>
        )}
      </h2>
      <PagedList load={load} none={none} noteClassName="mt-4">
        {(rows) => (
          <ul className="mt-2 divide-y divide-line">
            {rows.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function PersonRow({
  person: { id, email, name, plan, created_at, blocked_at, email_verified, used },
}: {
  person: ListedPerson;
}) {
  const unit = isPrivate ? "image" : "credit";
  return (
    <li className="py-4">
      <Link
        to={`/admin?person=${encodeURIComponent(id)}`}
        className="font-medium underline underline-offset-2 wrap-anywhere hover:text-accent-ink"
      >
        {email || id}
      </Link>
      <p className="mt-1 text-sm text-muted wrap-anywhere">
        {[
          name === email ? "" : name,
          isPrivate ? "" : planLabels[plan],
          email_verified ? "" : "address not verified",
          `since ${formatMoment(created_at)}`,
          blocked_at ? "blocked" : "",
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      <p className="mt-1 text-sm text-muted">
        {countOf(used.month, unit)} this month, {used.total} in all
      </p>
    </li>
  );
}
