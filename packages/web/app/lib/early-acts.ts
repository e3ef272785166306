type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A button that was pressed, a field that was changed, with what the field then held, or what was pasted. */
type Act =
  | { event: Event; button: HTMLElement }
  | { event: Event; field: Field; value: string; isChecked: boolean }
  | { event: Event; pasted: DataTransfer };

declare global {
  interface Window {
    /** Ends the listening of `earlyActsScript` and hands over what it heard. */
    endEarlyActs?: (() => readonly Act[]) | undefined;
  }
}

/**
 * Runs in the head. A page can be used before its script has come to life, on a slow network for seconds: this keeps
 * what was pressed, typed and pasted, and keeps the browser from sending a form itself, which would reload the page and lose the
 * chosen pictures. The server lets it through by its hash.
 */
export const earlyActsScript = `(${listen.toString()})();`;

function listen() {
  const acts: Act[] = [];
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element).closest("button");
    if (button) acts.push({ event, button });
  };
  const onInput = (event: Event) => {
    const field = event.target as Field;
    if (field.type !== "file")
      acts.push({ event, field, value: field.value, isChecked: "checked" in field && field.checked });
  };
  const onPaste = (event: ClipboardEvent) => {
    // The clipboard can be read during its event only.
    const pasted = new DataTransfer();
    for (const file of event.clipboardData?.files ?? []) pasted.items.add(file);
    pasted.setData("text/plain", event.clipboardData?.getData("text/plain") ?? "");
    acts.push({ event, pasted });
  };
  const onSubmit = (event: SubmitEvent) => event.preventDefault();
  addEventListener("click", onClick, true);
  addEventListener("input", onInput, true);
  addEventListener("paste", onPaste, true);
  addEventListener("submit", onSubmit, true);
  window.endEarlyActs = () => {
    removeEventListener("click", onClick, true);
    removeEventListener("input", onInput, true);
    removeEventListener("paste", onPaste, true);
    removeEventListener("submit", onSubmit, true);
    return acts;
  };
}

/** Does once more, for React, what was done before the page came to life. */
export function repeatEarlyActs(): void {
  const acts = window.endEarlyActs?.() ?? [];
  window.endEarlyActs = undefined;
  for (const act of acts) {
    // React brings the page to life within an event that needs it, and then hands that event out itself.
    if (act.event.eventPhase !== Event.NONE) continue;
    if ("button" in act) act.button.click();
    else if ("pasted" in act)
      act.event.target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: act.pasted, bubbles: true }));
    else if (act.field.type === "radio" || act.field.type === "checkbox") check(act.field, act.isChecked);
    else fill(act.field, act.value);
  }
}

// React tells a change by the value that was last set through the element itself.

function check(field: Field, isChecked: boolean) {
  (field as HTMLInputElement).checked = !isChecked;
  field.click();
}

function fill(field: Field, value: string) {
  field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
