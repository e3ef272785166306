import { type DeskRole, defaultInvitationDays, hasRole, type Invitation, maxInvitationDays } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { fieldOf, SelectField, TextField } from "../../ui/field.tsx";
import { NewForm } from "../../ui/form.tsx";
import { ShownOnce } from "../../ui/item-list.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { ActionDialog, ReasonField } from "./action-dialog.tsx";
import { Lines } from "./lines.tsx";

const roles: ReadonlyArray<{ value: DeskRole | ""; label: string }> = [
  { value: "", label: "None: they use the studio and the API" },
  { value: "read-only", label: "Read only" },
  { value: "support", label: "Support" },
  { value: "owner", label: "Owner" },
];

const stateWords: Record<Invitation["state"], string> = {
  open: "Open",
  used: "Used",
  revoked: "Revoked",
  expired: "Expired",
};

/** Invitations to this installation, newest first. An owner makes and revokes them. */
export function InvitationList({ role }: { role: DeskRole }) {
  const [changes, setChanges] = useState(0);
  const onDone = () => setChanges((count) => count + 1);
  const isOwner = hasRole(role, "owner");
  return (
    <div className="max-w-3xl space-y-12">
      {isOwner && <Invite onDone={onDone} />}
      <section aria-labelledby="invitations">
        <h2 id="invitations" className="text-2xl">
          Invitations
        </h2>
        <div className="mt-4 text-sm">
          <Invitations key={changes} isOwner={isOwner} onDone={onDone} />
        </div>
      </section>
    </div>
  );
}

function Invitations({ isOwner, onDone }: { isOwner: boolean; onDone(): void }) {
  const api = useApi();
  const load: Loader<Invitation> = async (_, signal) => {
    const { invitations } = await api.call("GET /admin/invitations", { signal });
    return { rows: invitations, next: null };
  };
  return (
    <PagedList load={load} none="Nobody has been invited yet.">
      {(rows) => (
        <Lines
          lines={rows.map((invitation) => ({
            key: invitation.id,
            line: invitation.email ?? "Whoever has the link",
            more: [
              stateWords[invitation.state],
              invitation.role && `role ${invitation.role}`,
              `until ${formatMoment(invitation.expires_at)}`,
              invitation.account_id && `account ${invitation.account_id}`,
            ],
            action: isOwner && invitation.state === "open" && <Revoke invitation={invitation} onDone={onDone} />,
          }))}
        />
      )}
    </PagedList>
  );
}

function Invite({ onDone }: { onDone(): void }) {
  const api = useApi();
  const [made, setMade] = useState<{ id: string; link: string; mailedTo: string | undefined }>();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<DeskRole | "">("");
  const [days, setDays] = useState(String(defaultInvitationDays));
  return (
    <div className="max-w-md">
      <NewForm
        title="Invite a person"
        button="Invite"
        action={async (form) => {
          const { invitation, link, mailed } = await api.call("POST /admin/invitations", {
            json: {
              ...(email && { email }),
              ...(role && { role }),
              days: Number(days),
              reason: fieldOf(form, "reason"),
            },
          });
          setMade({ id: invitation.id, link, mailedTo: mailed ? email : undefined });
          setEmail("");
          onDone();
        }}
      >
        <TextField
          label="Email"
          hint="Only this address can accept it. Without one, whoever has the link can, once."
          type="email"
          maxLength={320}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SelectField label="Role at the desk" options={roles} value={role} onChoose={setRole} />
        <TextField
          label="Days until it expires"
          type="number"
          required
          min={1}
          max={maxInvitationDays}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
        <ReasonField key={made?.id} />
      </NewForm>
      <div role="status">
        {made && (
          <ShownOnce
            words={`${made.mailedTo ? `Sent to ${made.mailedTo}. You can also copy` : "Copy"} the link now. It is not shown again.`}
            secret={made.link}
            label="Copy the link"
          />
        )}
      </div>
    </div>
  );
}

function Revoke({ invitation: { id, email }, onDone }: { invitation: Invitation; onDone(): void }) {
  const api = useApi();
  return (
    <ActionDialog
      title="Revoke"
      aria-label={`Revoke the invitation of ${email ?? "whoever has the link"}`}
      isDanger
      words="Its link lets nobody in any more."
      button="Revoke"
      action={(reason) => api.call("POST /admin/invitations/{id}/revoke", { params: { id }, json: { reason } })}
      onDone={onDone}
    />
  );
}
