import { type ContactMessage, type DeskRole, hasRole } from "@tintype/contract";
import { useState } from "react";
import { Link } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { formatMoment } from "../../lib/format-date.ts";
import type { Loader } from "../../lib/use-pages.ts";
import { SelectField, TextArea } from "../../ui/field.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { ActionDialog } from "./action-dialog.tsx";

type State = "open" | "answered";

/** Messages from the contact form: open ones first, each to be answered by mail or marked as done. */
export function MessageList({ role }: { role: DeskRole }) {
  const [state, setState] = useState<State>("open");
  const [changes, setChanges] = useState(0);
  return (
    <>
      <SelectField
        className="max-w-56"
        label="Show"
        options={[
          { value: "open", label: "Open" },
          { value: "answered", label: "Answered" },
        ]}
        value={state}
        onChoose={setState}
      />
      <Messages key={`${state} ${changes}`} state={state} role={role} onDone={() => setChanges((count) => count + 1)} />
    </>
  );
}

function Messages({ state, role, onDone }: { state: State; role: DeskRole; onDone(): void }) {
  const api = useApi();
  const load: Loader<ContactMessage> = async (before, signal) => {
    const { messages, next } = await api.call("GET /admin/messages", { query: { state, before, size: 20 }, signal });
    return { rows: messages, next };
  };
  const none = state === "open" ? "No message is open." : "No message was answered yet.";
  return (
    <section aria-labelledby="messages" className="mt-10">
      <h2 id="messages" className="text-2xl">
        Messages
      </h2>
      <PagedList load={load} none={none} noteClassName="mt-4">
        {(rows) => (
          <ul className="mt-2 divide-y divide-line">
            {rows.map((message) => (
              <Message key={message.id} message={message} role={role} onDone={onDone} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

type Props = { message: ContactMessage; role: DeskRole; onDone(): void };

function Message({ message: { id, name, email, message, at, answered_at }, role, onDone }: Props) {
  const api = useApi();
  const [text, setText] = useState("");
  const params = { id };
  const mark = (answered: boolean) => (reason: string) =>
    api.call("POST /admin/messages/{id}/mark", { params, json: { answered, reason } });
  return (
    <li className="py-6">
      <h3 className="font-sans text-base font-medium tracking-normal wrap-anywhere">{name}</h3>
      <p className="text-sm text-muted wrap-anywhere">
        <Link to={`/admin?q=${encodeURIComponent(email)}`} className="underline underline-offset-2">
          {email}
        </Link>
        , {formatMoment(at)}
        {answered_at && `, answered ${formatMoment(answered_at)}`}
      </p>
      <p className="mt-3 max-w-prose whitespace-pre-wrap wrap-anywhere">{message}</p>
      {hasRole(role, "support") && (
        <div className="mt-4 flex flex-wrap gap-2">
          <ActionDialog
            title="Answer"
            aria-label={`Answer ${name}`}
            words={`An email goes to ${email}, with the message quoted below your answer.`}
            button="Send"
            defaultReason="Answer to a message"
            action={(reason) => api.call("POST /admin/messages/{id}/answer", { params, json: { text, reason } })}
            onDone={onDone}
          >
            <TextArea
              label="Answer"
              rows={8}
              required
              maxLength={10_000}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </ActionDialog>
          {answered_at ? (
            <ActionDialog
              title="Mark as open"
              aria-label={`Mark as open: the message of ${name}`}
              words="It is moved back to the open messages."
              button="Mark"
              action={mark(false)}
              onDone={onDone}
            />
          ) : (
            <ActionDialog
              title="Mark as answered"
              aria-label={`Mark as answered: the message of ${name}`}
              words="For a message that was answered elsewhere, or needs no answer."
              button="Mark"
              action={mark(true)}
              onDone={onDone}
            />
          )}
        </div>
      )}
    </li>
  );
}
