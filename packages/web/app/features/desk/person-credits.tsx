import { hasRole, tasks } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { formatNumber } from "../../lib/size.ts";
import { TextField } from "../../ui/field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { Lines } from "./lines.tsx";
import { Part, type PersonPartProps } from "./person-part.tsx";

export function Credits({ person, role, onDone }: PersonPartProps) {
  const api = useApi();
  const [credits, setCredits] = useState("");
  const { used, limit, window, resets_at, lines } = person.credits;
  const adjust = (sign: 1 | -1) => ({
    action: (reason: string) =>
      api.call("POST /admin/people/{id}/credits", {
        params: { id: person.id },
        json: { credits: sign * Number(credits), reason },
      }),
    async onDone() {
      await onDone();
      setCredits("");
    },
  });
  const number = (
    <TextField
      label="Credits"
      type="number"
      inputMode="numeric"
      required
      min={1}
      max={10_000}
      value={credits}
      onChange={({ target }) => setCredits(target.value)}
    />
  );
  const until = resets_at ? ` They end on ${formatMoment(resets_at)}, with the others of this window.` : "";
  return (
    <Part
      title={isPrivate ? "Uses" : "Credits"}
      actions={
        !isPrivate &&
        hasRole(role, "support") && (
          <>
            <ActionDialog
              title="Give credits"
              words={`In addition to the allowance.${until}`}
              button="Give"
              {...adjust(1)}
            >
              {number}
            </ActionDialog>
            <ActionDialog title="Take credits" words="No more than are left." button="Take" {...adjust(-1)}>
              {number}
            </ActionDialog>
          </>
        )
      }
    >
      <p>
        {formatNumber(used)} {limit !== null && `of ${formatNumber(limit)} `}used {windowWords[window]}
      </p>
      <Lines
        none={isPrivate ? "Nothing was done yet." : "No credits used yet."}
        lines={lines.map((line) => ({
          key: line.id,
          line: [line.operation ? tasks[line.operation].label : "", line.change].filter(Boolean).join(", "),
          more: `${formatMoment(line.at)}, ${changeText(line.given_back - line.credits)}`,
        }))}
      />
    </Part>
  );
}

const changeText = (change: number): string =>
  `${change > 0 ? "+" : change < 0 ? "−" : ""}${formatNumber(Math.abs(change))} credits`;

const windowWords = { ever: "in all", month: "this month", day: "today" } as const;
