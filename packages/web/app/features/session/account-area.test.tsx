// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../ui/testing/modal-dialogs.ts";
import { fakeSite } from "./testing/fake-site.ts";
import { renderSession } from "./testing/render-session.tsx";

fillInModalDialogs();
afterEach(cleanup);

// Alone in this file: the dialog's code is loaded only once.
test("the button that opens the dialog stays while the dialog is loaded the first time: it gets the focus back", async () => {
  fakeSite();
  const { user } = renderSession();
  const button = await screen.findByRole("button", { name: "Get Started" });
  const hidden: string[] = [];
  const seen = new MutationObserver(() => hidden.push(button.style.display));
  seen.observe(button, { attributes: true, attributeFilter: ["style"] });
  await user.click(button);
  await screen.findByRole("dialog", {}, { timeout: 10_000 });
  seen.disconnect();
  expect(hidden).not.toContain("none");
});
