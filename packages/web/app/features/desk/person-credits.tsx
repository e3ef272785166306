import { formatDay, hasRole, tasks } from "@tintype/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { dayMs, dayOf } from "../../lib/day-steps.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { formatNumber } from "../../lib/size.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { Lines } from "./lines.tsx";
import { Part, type PersonPartProps } from "./person-part.tsx";

type End = "spent" | "window" | "day";

export function Credits({ person, role, onDone }: PersonPartProps) {
  const api = useApi();
  const [credits, setCredits] = useState("");
  const [end, setEnd] = useState<End>("spent");
  const [day, setDay] = useState("");
  const { used, limit, window, resets_at, grants, lines } = person.credits;
  const until = end === "spent" ? null : end === "window" ? "window" : `${day}T00:00:00.000Z`;
  const adjust = (sign: 1 | -1) => ({
    action: (reason: string) =>
      api.call("POST /admin/people/{id}/credits", {
        params: { id: person.id },
        json: { credits: sign * Number(credits), ...(sign === 1 ? { until } : {}), reason },
      }),
    async onDone() {
      await onDone();
      setCredits("");
      setDay("");
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
  const ends: { value: End; label: string }[] = [
    { value: "spent", label: "Until they are used" },
    ...(resets_at ? [{ value: "window" as const, label: `Until ${formatMoment(resets_at)}, with the allowance` }] : []),
    { value: "day", label: "Until a day" },
  ];
  return (
    <Part
      title={isPrivate ? "Uses" : "Credits"}
      actions={
        !isPrivate &&
        hasRole(role, "support") && (
          <>
            <ActionDialog
              title="Give credits"
              words="In addition to the allowance. They are used after it."
              button="Give"
              {...adjust(1)}
            >
              {number}
              <SelectField label="They last" options={ends} value={end} onChoose={setEnd} />
              {end === "day" && (
                <TextField
                  label="Until"
                  hint="Ends at 00:00 UTC on this day."
                  type="date"
                  required
                  min={dayOf(Date.now() + dayMs)}
                  value={day}
                  onChange={({ target }) => setDay(target.value)}
                />
              )}
            </ActionDialog>
            <ActionDialog
              title="Take credits"
              words="No more than are left. Given ones go first."
              button="Take"
              {...adjust(-1)}
            >
              {number}
            </ActionDialog>
          </>
        )
      }
    >
      <p>
        {formatNumber(used)} {limit !== null && `of ${formatNumber(limit)} `}used {windowWords[window]}
      </p>
      {grants.map(({ credits: given, left, until: grantEnd }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is read anew as a whole, and its lines have no state.
        <p key={index}>
          {formatNumber(left)} of {formatNumber(given)} given credits left
          {grantEnd ? `, until ${formatDay(grantEnd)}` : ""}
        </p>
      ))}
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
