// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { Dialog } from "./dialog.tsx";
import { fillInModalDialogs } from "./testing/modal-dialogs.ts";

fillInModalDialogs();
afterEach(cleanup);

function Page() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Dialog title="Sure?" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

test("a dialog opens under its title, closes by its cross, and its form begins empty", async () => {
  const user = userEvent.setup();
  render(<Page />);
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Open" }));
  expect(screen.getByRole("dialog", { name: "Sure?" })).toBeDefined();
  await user.type(screen.getByLabelText("Name"), "Ada");
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Open" }));
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("");
});

test("a dialog that is opened again before the browser tells of its end stays open", async () => {
  const user = userEvent.setup();
  render(<Page />);
  const open = screen.getByRole("button", { name: "Open" });
  await user.click(open);
  const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Sure?" });
  // What a browser does on Escape: the dialog closes after this event, then fires `close`.
  const isLeft = fireEvent(dialog, new Event("cancel", { cancelable: true }));
  if (isLeft) dialog.open = false;
  await user.click(open);
  fireEvent(dialog, new Event("close"));
  expect(screen.getByRole("dialog", { name: "Sure?" })).toBeDefined();
  expect(dialog.open).toBe(true);
});

test("a dialog that opens before the browser tells of the last one's end stays open", async () => {
  function TwoDialogs() {
    const [open, setOpen] = useState<"first" | "second">();
    const close = () => setOpen(undefined);
    return (
      <>
        <button type="button" onClick={() => setOpen("second")}>
          Open the second
        </button>
        <button type="button" onClick={() => setOpen("first")}>
          Open the first
        </button>
        <Dialog title="First" isOpen={open === "first"} onClose={close}>
          <p>One</p>
        </Dialog>
        <Dialog title="Second" isOpen={open === "second"} onClose={close}>
          <p>Two</p>
        </Dialog>
      </>
    );
  }
  const user = userEvent.setup();
  render(<TwoDialogs />);
  await user.click(screen.getByRole("button", { name: "Open the first" }));
  const first = screen.getByRole<HTMLDialogElement>("dialog", { name: "First" });
  // What a browser does on Escape: the dialog closes at once, its event follows.
  first.open = false;
  await user.click(screen.getByRole("button", { name: "Open the second" }));
  fireEvent(first, new Event("close"));
  expect(screen.getByRole("dialog", { name: "Second" })).toBeDefined();
});
