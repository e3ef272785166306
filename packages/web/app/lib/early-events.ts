type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A click on a button, a change to a field with its value at the time, or a paste. */
type RecordedEvent =
  | { event: Event; button: HTMLElement }
  | { event: Event; field: Field; value: string; isChecked: boolean }
  | { event: Event; pasted: DataTransfer };

declare global {
  interface Window {
    /** Stops the listeners of `earlyEventsScript` and returns what they recorded. */
    stopEarlyRecording?: (() => readonly RecordedEvent[]) | undefined;
  }
}

/**
 * Runs in the head. A page can be used before it is hydrated, which takes seconds on a slow network. Until then this
 * records clicks, input and pastes, and prevents native form submission, which would reload the page and lose the
 * chosen pictures. The server's CSP allows it by its hash.
 */
export const earlyEventsScript = `(${recordEvents.toString()})();`;

function recordEvents() {
  const recorded: RecordedEvent[] = [];
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element).closest("button");
    if (button) recorded.push({ event, button });
  };
  const onInput = (event: Event) => {
    const field = event.target as Field;
    if (field.type !== "file")
      recorded.push({ event, field, value: field.value, isChecked: "checked" in field && field.checked });
  };
  const onPaste = (event: ClipboardEvent) => {
    // The clipboard is readable only during the event.
    const pasted = new DataTransfer();
    for (const file of event.clipboardData?.files ?? []) pasted.items.add(file);
    pasted.setData("text/plain", event.clipboardData?.getData("text/plain") ?? "");
    recorded.push({ event, pasted });
  };
  const onSubmit = (event: SubmitEvent) => event.preventDefault();
  addEventListener("click", onClick, true);
  addEventListener("input", onInput, true);
  addEventListener("paste", onPaste, true);
  addEventListener("submit", onSubmit, true);
  window.stopEarlyRecording = () => {
    removeEventListener("click", onClick, true);
    removeEventListener("input", onInput, true);
    removeEventListener("paste", onPaste, true);
    removeEventListener("submit", onSubmit, true);
    return recorded;
  };
}

/** Replays for React what was done before hydration. */
export function replayEarlyEvents(): void {
  const recorded = window.stopEarlyRecording?.() ?? [];
  window.stopEarlyRecording = undefined;
  for (const entry of recorded) {
    // React hydrates during an event that needs it, and then dispatches that event itself.
    if (entry.event.eventPhase !== Event.NONE) continue;
    if ("button" in entry) entry.button.click();
    else if ("pasted" in entry)
      entry.event.target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: entry.pasted, bubbles: true }));
    else if (entry.field.type === "radio" || entry.field.type === "checkbox") check(entry.field, entry.isChecked);
    else fill(entry.field, entry.value);
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
