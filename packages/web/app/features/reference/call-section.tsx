import { Scrollable } from "../../ui/scrollable.tsx";
import { CodeBlock } from "./code-block.tsx";
import type { Field } from "./fields.ts";
import type { Call } from "./reference.server.ts";

const accessWords = {
  anybody: "No sign-in needed.",
  "visitor-or-person": "With a token, or without one.",
  "guest-or-person": "With a token, or without one as a guest.",
  person: "With a token.",
} as const;

/** One endpoint: what it does, its parameters and response, its errors, and how to try it. */
export function CallSection({ call }: { call: Call }) {
  const { name, method, path, summary, description, access, sent, response, errors, curl } = call;
  return (
    <section aria-labelledby={name} className="border-t border-line py-8">
      <h3 id={name} className="scroll-mt-24 text-xl">
        {summary}
      </h3>
      <p className="mt-2 font-mono text-sm break-words">
        <span className="font-semibold text-accent-ink">{method}</span> {path}
      </p>
      <p className="mt-3 text-muted">
        {description && `${plainNote(description)} `}
        {accessWords[access]}
      </p>
      {sent.map(({ place, fields }) => (
        <FieldTable key={place} caption={`${place} of ${method} ${path}`} fields={fields} />
      ))}
      <p className="mt-4 text-sm">
        <span className="font-medium">Response {response.status}</span>
        {response.mediaType && <span className="text-muted"> · {response.mediaType}</span>}
        <span className="block text-muted">{plainNote(response.description)}</span>
      </p>
      {response.fields.length > 0 && (
        <details className="mt-2">
          <summary className="rounded-sm text-sm text-muted hover:text-ink">Response fields</summary>
          <FieldTable caption={`Response of ${method} ${path}`} fields={response.fields} />
        </details>
      )}
      <div className="mt-4">
        <CodeBlock code={curl} label={`${method} ${path} with curl`} />
      </div>
      <p className="mt-4 text-sm text-muted">
        Errors:{" "}
        {errors.map((code, index) => (
          <span key={code}>
            {index > 0 && ", "}
            <a
              href={`#error-${code}`}
              className="rounded-sm underline decoration-line underline-offset-3 hover:text-ink"
            >
              {code}
            </a>
          </span>
        ))}
      </p>
    </section>
  );
}

/** Fields in rows: name, type and note. */
function FieldTable({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  return (
    <Scrollable label={caption} className="scroll-x mt-4">
      <table>
        <caption className="pb-1 text-left text-sm font-medium">{caption}</caption>
        <tbody>
          {fields.map(({ name, type, isRequired, standard, note }) => (
            <tr key={name}>
              <th scope="row" className="font-mono text-[0.8125rem] whitespace-nowrap">
                {name}
              </th>
              <td className="text-sm text-muted">
                <span className="text-ink">{type}</span>
                {isRequired && <span className="text-accent-ink"> · required</span>}
                {standard !== undefined && ` · default: ${standard}`}
                {note && <span className="block">{plainNote(note)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

/** The contract's notes mark code with backticks. */
const plainNote = (note: string): string => note.replace(/`/g, "");
