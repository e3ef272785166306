import { looksLikeEmail, text } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import { type FormEvent, useId, useRef, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { useToasts } from "../../ui/toasts.tsx";

type Outcome = { kind: "none" } | { kind: "sent" } | { kind: "refused"; sentence: string; field?: keyof Message };

/** docs/product.md's contact form. It keeps the text until the server has accepted it. */
export function ContactForm() {
  const api = useApi();
  const toasts = useToasts();
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false); // not state: a second submit can come before React re-renders
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const problemId = useId();

  function refuse(sentence: string, field?: keyof Message): void {
    setOutcome({ kind: "refused", sentence, ...(field && { field }) });
    if (field) form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
    else toasts.error(sentence);
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending.current) return;
    const { website, ...message } = readForm(event.currentTarget);
    if (website) return; // the honeypot field
    const fault = findFault(message);
    if (fault) return refuse(fault.sentence, fault.field);
    isSending.current = true;
    setIsBusy(true);
    try {
      await api.call("POST /contact", { json: message });
      setOutcome({ kind: "sent" });
      toasts.success(text.messageSent);
      form.current?.reset();
    } catch (problem) {
      // For an invalid message, show the server's advice; for a server error, docs/product.md's wording.
      if (problem instanceof ApiProblem) refuse(problem.status < 500 ? problem.detail : text.messageFailed);
      else refuse(text.serverError);
    } finally {
      isSending.current = false;
      setIsBusy(false);
    }
  }

  const faultIn = (field: keyof Message) =>
    outcome.kind === "refused" && outcome.field === field ? problemId : undefined;
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-label="Contact" className="space-y-5">
      <TextField label="Name" name="name" autoComplete="name" maxLength={200} required problemId={faultIn("name")} />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={320}
        required
        problemId={faultIn("email")}
      />
      <TextArea label="Message" name="message" rows={7} maxLength={10_000} required problemId={faultIn("message")} />
      {/* A honeypot, filled in only by bots: hidden, out of the tab order, and not read aloud. */}
      <div hidden>
        <input name="website" type="text" tabIndex={-1} autoComplete="off" aria-hidden="true" />
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" kind="primary" size="lg" aria-disabled={isBusy}>
          {isBusy ? "Sending..." : "Send message"}
        </Button>
        <p id={problemId} role="status" className={outcome.kind === "sent" ? "text-ink" : "text-accent-ink"}>
          {outcome.kind === "sent" && text.messageSent}
          {outcome.kind === "refused" && outcome.sentence}
        </p>
      </div>
    </form>
  );
}

function readForm(form: HTMLFormElement): Message & { website: string } {
  const fields = new FormData(form);
  const field = (name: string) => String(fields.get(name) ?? "");
  return { name: field("name"), email: field("email"), message: field("message"), website: field("website") };
}

type Message = { name: string; email: string; message: string };

/** What is wrong with a message, and the field; undefined for a valid message. */
function findFault({ name, email, message }: Message): { sentence: string; field: keyof Message } | undefined {
  const blank = (["name", "email", "message"] as const).find((field) => !{ name, email, message }[field].trim());
  if (blank) return { sentence: text.allFieldsRequired, field: blank };
  if (!looksLikeEmail(email.trim())) return { sentence: text.invalidEmail, field: "email" };
  return undefined;
}
