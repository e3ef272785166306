// @vitest-environment jsdom

import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { UsageRow } from "@tintype/contract";
import { createApi } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../lib/api/context.tsx";
import { UsagePage } from "./usage-page.tsx";
import "../../ui/testing/patience.ts";

afterEach(cleanup);

const day = new Date().toISOString().slice(0, 10);
const shop = { id: "key_1", name: "Shop", last_four: "wxyz" };
const rows: UsageRow[] = [
  { day, operation: "compress", key: null, files: 2, credits: 2 },
  { day, operation: "upscale", key: shop, files: 3, credits: 3 },
];

/** A fake of our API at the level of fetch. */
function renderPage(answers: (() => Response)[]) {
  const asked: URLSearchParams[] = [];
  globalThis.fetch = async (input) => {
    asked.push(new URL(String(input)).searchParams);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (!answer) throw new TypeError("no answer");
    return answer();
  };
  render(
    <ApiProvider api={createApi({ base: "http://localhost/api", token: async () => "token" })}>
      <UsagePage />
    </ApiProvider>,
  );
  return { asked, user: userEvent.setup() };
}
const usage = (all: UsageRow[]) => () => Response.json({ from: day, to: day, rows: all });

test("the credits of a span are shown by tool and key, and pressing one shows it alone", async () => {
  const { asked, user } = renderPage([usage(rows)]);
  expect(await screen.findByRole("heading", { name: "5 credits" })).toBeDefined();
  expect(screen.getByRole("img", { name: /^Credits per day, .* Most: 5 credits/ })).toBeDefined();
  await user.click(within(screen.getByRole("region", { name: "By key" })).getByRole("button", { name: /^Shop …wxyz/ }));
  expect(screen.getByRole("heading", { name: "3 credits" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: /^Shop …wxyz/, pressed: true }));
  expect(screen.getByRole("heading", { name: "5 credits" })).toBeDefined();
  await user.selectOptions(screen.getByLabelText("Period"), "7 days");
  const [month, week] = asked.map((query) => Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? ""));
  expect([month, week]).toEqual([29 * 86_400_000, 6 * 86_400_000]);
});

test("a time without use says so", async () => {
  renderPage([usage([])]);
  expect(await screen.findByText(/^No credits were used in this period/)).toBeDefined();
});

test("without the server the page says so, and asks again when told", async () => {
  const lost = () => {
    throw new TypeError("offline");
  };
  const { user } = renderPage([lost, usage(rows)]);
  expect(await screen.findByText(/^The server cannot be reached/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "5 credits" })).toBeDefined();
});
