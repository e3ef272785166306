type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A click on a button, a change to a field with its value at the time, or a paste. */
type Act =
  | { event: Event; button: HTMLElement }
  | { event: Event; field: Field; value: string; isChecked: boolean }
  | { event: Event; pasted: DataTransfer };

declare global {
  interface Window {
    /** Stops the listeners of `earlyActsScript` and returns what they recorded. */
    endEarlyActs?: (() => readonly Act[]) | undefined;
  }
}

/**
 * Runs in the head. A page can be used before it is hydrated, which takes seconds on a slow network. Until then this
 * records clicks, input and pastes, and prevents native form submission, which would reload the page and lose the
 * chosen pictures. The server's CSP allows it by its hash.
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
    // The clipboard is readable only during the event.
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

/** Replays for React what was done before hydration. */
export function repeatEarlyActs(): void {
  const acts = window.endEarlyActs?.() ?? [];
  window.endEarlyActs = undefined;
  for (const act of acts) {
    // React hydrates during an event that needs it, and then dispatches that event itself.
    if (act.event.eventPhase !== Event.NONE) continue;
    if ("button" in act) act.button.click();
    else if ("pasted" in act)
      act.event.target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: act.pasted, bubbles: true }));
    else if (act.field.type === "radio" || act.field.type === "checkbox") check(act.field, act.isChecked);
    else fill(act.field, act.value);
  }
}

// React detects a change by comparing with the value last set through the element's own setter.

function check(field: Field, isChecked: boolean) {
  (field as HTMLInputElement).checked = !isChecked;
  field.click();
}

function fill(field: Field, value: string) {
  field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
