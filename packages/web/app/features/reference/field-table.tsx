import { Scrollable } from "../../ui/scrollable.tsx";
import type { Field } from "./fields.ts";

/** Fields in rows: name, type and note. */
export function FieldTable({ caption, fields }: { caption: string; fields: readonly Field[] }) {
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
export const plainNote = (note: string): string => note.replace(/`/g, "");
