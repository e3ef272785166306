// @vitest-environment jsdom

import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Webhook, WebhookDelivery } from "@tintype/contract";
import { createApi } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../lib/api/context.tsx";
import { fillInModalDialogs } from "../../ui/testing/modal-dialogs.ts";
import { WebhookPage } from "./webhook-page.tsx";
import "../../ui/testing/patience.ts";

fillInModalDialogs();
afterEach(cleanup);

const webhook: Webhook = {
  id: "whk_1",
  url: "https://shop.example/tintype",
  events: ["job.finished"],
  created_at: "2026-11-01T00:00:00.000Z",
  previous_until: null,
  disabled_at: null,
};
const delivery: WebhookDelivery = {
  id: "msg_1",
  webhook_id: "whk_1",
  url: webhook.url,
  job_id: "job_1",
  state: "failed",
  attempts: 5,
  status: 503,
  created_at: "2026-11-01T00:00:00.000Z",
  next_attempt_at: null,
};
const secret = "whsec_c2VjcmV0";

/** A fake of our API at the level of fetch. */
function renderPage(webhooks: Webhook[], { refusal }: { refusal?: { status: number; detail: string } } = {}) {
  const site = { webhooks, delivery, asked: [] as { call: string; body: unknown }[] };
  globalThis.fetch = async (input, init = {}) => {
    const call = `${init.method ?? "GET"} ${new URL(String(input), "http://localhost").pathname}`;
    if (call === "GET /api/webhooks") return Response.json({ webhooks: site.webhooks });
    if (call === "GET /api/webhooks/deliveries") return Response.json({ deliveries: [site.delivery], next: null });
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    site.asked.push({ call, body });
    if (refusal)
      return Response.json({ title: "No", type: "/api/docs#error-conflict", ...refusal }, { status: refusal.status });
    if (init.method === "DELETE") {
      site.webhooks = [];
      return new Response(null, { status: 204 });
    }
    if (call.endsWith("/replay")) {
      site.delivery = { ...delivery, state: "sent", attempts: 1, status: 204 };
      return Response.json(site.delivery);
    }
    const made = { ...webhook, ...(call === "POST /api/webhooks" ? { id: "whk_2", ...(body as object) } : {}) };
    if (made.id === "whk_2") site.webhooks = [made, ...site.webhooks];
    return Response.json({ ...made, secret });
  };
  const api = createApi({ base: "http://localhost/api", token: async () => "token" });
  render(
    <ApiProvider api={api}>
      <WebhookPage />
    </ApiProvider>,
  );
  return { site, user: userEvent.setup() };
}

test("a webhook is made, its secret is shown once to be copied, and then it stands in the list", async () => {
  const { site, user } = renderPage([]);
  expect(await screen.findByText("You have no webhooks yet.")).toBeDefined();
  await user.type(screen.getByLabelText("Address"), "https://new.example/hook");
  await user.click(screen.getByRole("button", { name: "Create webhook" }));
  expect(await screen.findByText(secret)).toBeDefined();
  expect(screen.getByRole("button", { name: "Copy the secret" })).toBeDefined();
  expect(await screen.findByRole("heading", { name: "https://new.example/hook" })).toBeDefined();
  expect(site.asked).toEqual([{ call: "POST /api/webhooks", body: { url: "https://new.example/hook" } }]);
});

test("a refusal is said", async () => {
  const { user } = renderPage([], { refusal: { status: 409, detail: "An account has 10 webhooks at most." } });
  await user.type(screen.getByLabelText("Address"), "https://new.example/hook");
  await user.click(screen.getByRole("button", { name: "Create webhook" }));
  expect(await screen.findByText("An account has 10 webhooks at most.")).toBeDefined();
});

test("rotating and removing are confirmed first", async () => {
  const { site, user } = renderPage([webhook]);
  await user.click(await screen.findByRole("button", { name: `Rotate the secret of ${webhook.url}` }));
  expect(site.asked).toEqual([]);
  await user.click(
    within(screen.getByRole("dialog", { name: "Rotate secret" })).getByRole("button", { name: "Rotate" }),
  );
  expect(await screen.findByText(secret)).toBeDefined();
  await user.click(screen.getByRole("button", { name: `Remove ${webhook.url}` }));
  await user.click(
    within(screen.getByRole("dialog", { name: "Remove webhook" })).getByRole("button", { name: "Remove" }),
  );
  await waitFor(() => expect(screen.getByText("You have no webhooks yet.")).toBeDefined());
  expect(site.asked).toEqual([
    { call: "POST /api/webhooks/whk_1/rotate", body: { overlap_hours: 24 } },
    { call: "DELETE /api/webhooks/whk_1", body: undefined },
  ]);
});

test("a disabled webhook says so, and a delivery that failed can be sent again", async () => {
  const { site, user } = renderPage([{ ...webhook, disabled_at: "2026-11-02T00:00:00.000Z" }]);
  expect(await screen.findByText(/^Disabled/)).toBeDefined();
  expect(screen.getByText("failed, 5 attempts, last response 503")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Send msg_1 again" }));
  expect(await screen.findByText("delivered, 1 attempt, last response 204")).toBeDefined();
  expect(site.asked).toEqual([{ call: "POST /api/webhooks/deliveries/msg_1/replay", body: undefined }]);
});
