// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../../ui/testing/modal-dialogs.ts";
import { fakeSite } from "../testing/fake-site.ts";
import { renderSession } from "../testing/render-session.tsx";
import { DeleteAccount } from "./delete-account.tsx";

fillInModalDialogs();
afterEach(cleanup);

test("the button warns by its colour, and another email deletes nothing", async () => {
  const site = fakeSite();
  const person = { id: "user-1", name: "Ann", email: "ann@example.com", picture: null };
  const page = <DeleteAccount person={person}>Everything ends.</DeleteAccount>;
  const { user } = renderSession({ page, at: "/account" });
  const button = screen.getByRole("button", { name: "Delete Account" });
  expect(button.className).toContain("text-accent-ink");
  await user.click(button);
  const dialog = within(screen.getByRole("dialog", { name: "Delete Account" }));
  await user.type(dialog.getByLabelText("Enter your email to confirm"), "bob@example.com");
  await user.click(dialog.getByRole("button", { name: "Delete Account" }));
  expect((await dialog.findByText("This is not the email of your account.")).closest("[role=alert]")).not.toBeNull();
  expect(site.asked).not.toContain("POST /api/delete-account");
});
