import {
  type DeskJobCounts,
  type DeskJobState,
  type DeskRole,
  deskJobStates,
  type FoundJob,
  hasRole,
  isFinal,
  locale,
  tasks,
} from "@tintype/contract";
import { useCallback, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { countOf, formatNumber } from "../../lib/size.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { useRead } from "../../lib/use-read.ts";
import { SelectField } from "../../ui/field.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { Facts } from "./facts.tsx";
import { AccountLink, Lines } from "./lines.tsx";

const stateWords: Record<DeskJobState, string> = { waiting: "Waiting", working: "Working", failed: "Failed" };

/** What the machines are doing and what failed, in numbers and job by job. Unfinished jobs can be cancelled. */
export function JobList({ role }: { role: DeskRole }) {
  const api = useApi();
  const [state, setState] = useState<DeskJobState>("working");
  const [code, setCode] = useState("");
  const [changes, setChanges] = useState(0);
  const { data, problem, read } = useRead(
    useCallback((signal) => api.call("GET /admin/jobs/counts", { signal }), [api]),
  );
  return (
    <section aria-labelledby="jobs" className="max-w-3xl">
      <h2 id="jobs" className="text-2xl">
        Jobs
      </h2>
      <div role="status">
        {!data && !problem && <p className="mt-4 text-muted">Loading...</p>}
        {problem && <p className="mt-4 text-sm text-accent-ink">{problem}</p>}
      </div>
      {data && <Facts facts={factsOf(data)} />}
      <div className="mt-8 flex flex-wrap gap-4">
        <SelectField
          className="w-full sm:w-56"
          label="Show"
          options={deskJobStates.map((value) => ({ value, label: stateWords[value] }))}
          value={state}
          onChoose={setState}
        />
        {state === "failed" && (
          <SelectField
            className="w-full sm:w-56"
            label="Error"
            options={[
              { value: "", label: "All" },
              ...(data?.failed ?? []).map(({ code: value }) => ({ value, label: value })),
            ]}
            value={code}
            onChoose={setCode}
          />
        )}
      </div>
      <Jobs
        key={`${state} ${code} ${changes}`}
        state={state}
        code={state === "failed" && code ? code : undefined}
        role={role}
        onDone={async () => {
          await read();
          setChanges((count) => count + 1);
        }}
      />
    </section>
  );
}

const factsOf = ({ waiting, working, failed }: DeskJobCounts): [string, string][] => [
  ["Waiting", countOf(waiting, "job")],
  ["Working", countOf(working, "job")],
  ...(failed.length === 0
    ? ([["Failed", "nothing in the last day"]] as [string, string][])
    : failed.map(({ code, files, jobs }): [string, string] => [
        `Failed: ${code}`,
        `${countOf(files, "file")} in ${countOf(jobs, "job")}`,
      ])),
];

type Props = { state: DeskJobState; code: string | undefined; role: DeskRole; onDone(): Promise<void> };

function Jobs({ state, code, role, onDone }: Props) {
  const api = useApi();
  const load: Loader<FoundJob> = async (before, signal) => {
    const { jobs, next } = await api.call("GET /admin/jobs", { query: { state, code, before, size: 20 }, signal });
    return { rows: jobs, next };
  };
  return (
    <div className="mt-4 text-sm">
      <PagedList load={load} none="No such jobs.">
        {(rows) => (
          <Lines
            lines={rows.map((job) => ({
              key: job.id,
              line: `${tasks[job.operation].label}, ${countOf(job.files, "file")}`,
              more: <JobFacts job={job} />,
              action: hasRole(role, "support") && !isFinal(job.state) && (
                <ActionDialog
                  title="End"
                  aria-label={`End the job ${job.id}`}
                  isDanger
                  words={`Processing stops${isPrivate ? "" : ", and the credits of files without a result are refunded"}, as if the owner had cancelled. This cannot be undone.`}
                  button="End it"
                  action={(reason) =>
                    api.call("POST /admin/jobs/{id}/end", { params: { id: job.id }, json: { reason } })
                  }
                  onDone={onDone}
                />
              ),
            }))}
          />
        )}
      </PagedList>
    </div>
  );
}

function JobFacts({ job: { id, account_id, state, created_at, failed_files, codes } }: { job: FoundJob }) {
  const failed = failed_files > 0 ? `, ${formatNumber(failed_files)} failed (${codes.join(", ")})` : "";
  return (
    <>
      {state}
      {failed}, {ageText(created_at)}, {account_id ? <AccountLink id={account_id} /> : "guest"}, {id}
    </>
  );
}

const ageSteps = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

/** `3 hours ago`; less than a minute is `just now`. */
function ageText(at: string): string {
  const ageMs = Date.now() - Date.parse(at);
  const step = ageSteps.find(({ ms }) => ageMs >= ms);
  return step ? new Intl.RelativeTimeFormat(locale).format(-Math.floor(ageMs / step.ms), step.unit) : "just now";
}
