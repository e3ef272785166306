import { type DeskNetwork, type DeskRole, hasRole } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { formatNumber } from "../../lib/size.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { SelectField } from "../../ui/field.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { Lines } from "./lines.tsx";

type Blocked = { key: string; kind: DeskNetwork["kind"]; until: string };

const kindWords: Record<DeskNetwork["kind"], string> = {
  address: "one IPv4 address",
  "/64": "IPv6, a /64",
  "/56": "IPv6, a /56",
  "/48": "IPv6, a /48",
};

/** Networks by the free credits used from them today, and the blocked ones. */
export function NetworkList({ role }: { role: DeskRole }) {
  const [changes, setChanges] = useState(0);
  return <Networks key={changes} role={role} onDone={() => setChanges((count) => count + 1)} />;
}

function Networks({ role, onDone }: { role: DeskRole; onDone(): void }) {
  const api = useApi();
  const [blocked, setBlocked] = useState<readonly Blocked[]>([]);
  const load: Loader<DeskNetwork> = async (before, signal) => {
    const { networks, next, ...page } = await api.call("GET /admin/networks", {
      query: { before, size: 20 },
      signal,
    });
    if (before === undefined && !signal.aborted) setBlocked(page.blocked);
    return { rows: networks, next };
  };
  const isSupport = hasRole(role, "support");
  return (
    <div className="max-w-3xl space-y-12">
      {blocked.length > 0 && (
        <section aria-labelledby="blocked">
          <h2 id="blocked" className="text-2xl">
            Blocked networks
          </h2>
          <div className="mt-2 text-sm">
            <Lines
              lines={blocked.map(({ key, kind, until }) => ({
                key,
                line: <Key text={key} />,
                more: `${kindWords[kind]}, until ${formatMoment(until)}`,
                action: isSupport && <Unblock network={key} onDone={onDone} />,
              }))}
            />
          </div>
        </section>
      )}
      <section aria-labelledby="networks">
        <h2 id="networks" className="text-2xl">
          Networks today
        </h2>
        <p className="mt-2 text-sm text-muted">
          Credits that guests, and accounts whose address is still to be verified, used since 00:00 UTC. A key stands
          for a network, whose address is not kept.
        </p>
        <div className="mt-4 text-sm">
          <PagedList load={load} none={isPrivate ? "Nothing was done today." : "No free credits used today."}>
            {(rows) => (
              <Lines
                lines={rows.map(({ key, kind, used, limit, blocked_until }) => ({
                  key,
                  line: <Key text={key} />,
                  more: [
                    `${formatNumber(used)} of ${formatNumber(limit)} credits`,
                    kindWords[kind],
                    blocked_until && `blocked until ${formatMoment(blocked_until)}`,
                  ],
                  action: isSupport && !blocked_until && <Block network={key} onDone={onDone} />,
                }))}
              />
            )}
          </PagedList>
        </div>
      </section>
    </div>
  );
}

/** Verbatim: a list's line would begin with a capital letter. */
const Key = ({ text }: { text: string }) => <span className="inline-block font-mono">{text}</span>;

const hourMs = 3_600_000;
/** By hours. */
const times = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

function Block({ network, onDone }: { network: string; onDone(): void }) {
  const api = useApi();
  const [hours, setHours] = useState("24");
  return (
    <ActionDialog
      title="Block"
      aria-label={`Block ${network}`}
      isDanger
      words={
        isPrivate
          ? "Guests of this network are refused and asked to contact you."
          : "Guests and free accounts of this network are refused and asked to contact us. People with a paid plan are not affected."
      }
      button="Block"
      action={async (reason) => {
        const until = new Date(Date.now() + Number(hours) * hourMs).toISOString();
        await api.call("POST /admin/networks/block", { json: { key: network, until, reason } });
      }}
      onDone={onDone}
    >
      <SelectField label="For" options={times} value={hours} onChoose={setHours} />
    </ActionDialog>
  );
}

function Unblock({ network, onDone }: { network: string; onDone(): void }) {
  const api = useApi();
  return (
    <ActionDialog
      title="Unblock"
      aria-label={`Unblock ${network}`}
      words="Guests and free accounts of this network can work again."
      button="Unblock"
      action={(reason) => api.call("POST /admin/networks/unblock", { json: { key: network, reason } })}
      onDone={onDone}
    />
  );
}
