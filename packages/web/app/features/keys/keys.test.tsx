// @vitest-environment jsdom

import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ApiKey } from "@tintype/contract";
import { createApi } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../lib/api/context.tsx";
import { fillInModalDialogs } from "../../ui/testing/modal-dialogs.ts";
import { KeyPage } from "./key-page.tsx";
import "../../ui/testing/patience.ts";

fillInModalDialogs();
afterEach(cleanup);

const apiKey: ApiKey = {
  id: "key_1",
  name: "Build server",
  mode: "live",
  scopes: ["process", "jobs:read"],
  last_four: "wxyz",
  created_at: "2026-11-01T00:00:00.000Z",
  expires_at: null,
  last_used_at: null,
  daily_files: null,
};
const secret = "tt_live_0123456789012345678901234567890wxyz";

/** A fake of our API at the level of fetch, with some keys. */
function renderPage(keys: ApiKey[], refusal?: { status: number; detail: string }) {
  const asked: { call: string; body: unknown }[] = [];
  const site = { keys, asked };
  globalThis.fetch = async (input, init = {}) => {
    const call = `${init.method ?? "GET"} ${new URL(String(input), "http://localhost").pathname}`;
    if (call === "GET /api/keys") return Response.json({ keys: site.keys });
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    asked.push({ call, body });
    if (refusal)
      return Response.json({ title: "No", type: "/api/docs#error-conflict", ...refusal }, { status: refusal.status });
    if (init.method === "DELETE") {
      site.keys = [];
      return new Response(null, { status: 204 });
    }
    const made = { ...apiKey, id: "key_2", ...(body as object) };
    site.keys = [made, ...site.keys];
    return Response.json({ ...made, key: secret }, { status: 201 });
  };
  const api = createApi({ base: "http://localhost/api", token: async () => "token" });
  render(
    <ApiProvider api={api}>
      <KeyPage />
    </ApiProvider>,
  );
  return { site, user: userEvent.setup() };
}

test("a key is made with the chosen scopes, shown once to be copied, and then stands in the list", async () => {
  const { site, user } = renderPage([]);
  expect(await screen.findByText("You have no keys yet.")).toBeDefined();
  await user.type(screen.getByLabelText("Name"), "Shop");
  await user.click(screen.getByRole("switch", { name: "Read usage" }));
  await user.click(screen.getByRole("switch", { name: "Test key" }));
  await user.type(screen.getByLabelText("Files a day"), "200");
  await user.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findByText(secret)).toBeDefined();
  expect(site.asked).toEqual([
    {
      call: "POST /api/keys",
      body: { name: "Shop", mode: "test", scopes: ["process", "jobs:read"], expires_at: null, daily_files: 200 },
    },
  ]);
  expect(screen.getByRole("button", { name: "Copy the key Shop" })).toBeDefined();
  expect(await screen.findByText("test key, process images, read jobs")).toBeDefined();
});

test("a key without a scope cannot be made, and a refusal is said", async () => {
  const { user } = renderPage([], { status: 409, detail: "An account has at most 25 keys." });
  for (const name of ["Process images", "Read jobs", "Read usage"])
    await user.click(screen.getByRole("switch", { name }));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Create key" }).disabled).toBe(true);
  await user.click(screen.getByRole("switch", { name: "Read jobs" }));
  await user.type(screen.getByLabelText("Name"), "Shop");
  await user.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findByText("An account has at most 25 keys.")).toBeDefined();
});

test("rotating asks when the old key ends, and shows the new one", async () => {
  const { site, user } = renderPage([apiKey]);
  await user.click(await screen.findByRole("button", { name: /^Rotate Build server, …/ }));
  const dialog = within(screen.getByRole("dialog", { name: "Rotate key" }));
  await user.selectOptions(dialog.getByLabelText("The old key expires"), "In three days");
  await user.click(dialog.getByRole("button", { name: "Rotate" }));
  expect(await screen.findByText(secret)).toBeDefined();
  expect(site.asked).toEqual([{ call: "POST /api/keys/key_1/rotate", body: { overlap_hours: 72 } }]);
});

test("a key of the operator's desk can be revoked here, and not rotated", async () => {
  renderPage([{ ...apiKey, scopes: ["admin"] }]);
  expect(await screen.findByRole("button", { name: /^Revoke Build server/ })).toBeDefined();
  expect(screen.queryByRole("button", { name: /^Rotate/ })).toBeNull();
});

test("revoking is confirmed first", async () => {
  const { site, user } = renderPage([{ ...apiKey, last_used_at: "2026-11-02T03:04:00.000Z" }]);
  expect(await screen.findByText(/last used Nov/)).toBeDefined();
  await user.click(await screen.findByRole("button", { name: /^Revoke Build server, …/ }));
  expect(site.asked).toEqual([]);
  await user.click(within(screen.getByRole("dialog", { name: "Revoke key" })).getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(screen.getByText("You have no keys yet.")).toBeDefined());
  expect(site.asked).toEqual([{ call: "DELETE /api/keys/key_1", body: undefined }]);
});
