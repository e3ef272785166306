import { render } from "@testing-library/react";
import type { UserInfo } from "@tintype/contract";
import type { Api } from "@tintype/contract/api";
import { type ReactNode, useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { ApiProvider } from "../../../lib/api/context.tsx";
import { createToasts, ToastContext } from "../../../ui/toasts.tsx";
import type { Customer } from "../customer.ts";
import "../../../ui/testing/patience.ts";

export const info: UserInfo = {
  plan: "hobby",
  paid_plan: "hobby",
  granted_until: null,
  next_plan: null,
  next_billing_date: null,
  next_billing_cycle: null,
  next_plan_price: null,
  can_switch: true,
  service_count: 7,
  limit: 100,
  subscription_id: null,
  subscription_status: null,
  billing_cycle: null,
  renewal_date: null,
  keep_until: null,
  price: null,
  next_price: null,
  window: "month",
  resets_at: "2026-12-01T00:00:00.000Z",
  must_verify_email: false,
  fast_lane: { used: 0, limit: 0 },
  email: "ann@example.com",
  name: "Ann",
  picture: null,
};
export const onPlus: UserInfo = {
  ...info,
  plan: "plus",
  paid_plan: "plus",
  subscription_id: "sub_1",
  subscription_status: "active",
  billing_cycle: "monthly",
  renewal_date: "2026-12-21T10:00:00.000Z",
  price: { amount_minor: 500, currency: "USD" },
};

type Options = {
  /** By path; requests to any other path are refused. */
  answers: Record<string, (json: unknown) => unknown>;
  /** Without it, a guest. */
  person?: UserInfo;
  /** Defaults to whether there is a person. */
  kind?: Customer["kind"];
  /** The next result of `refresh`. */
  refreshed?: () => UserInfo;
  /** The page's path. */
  at?: string;
};

/** Renders a view for a customer against the test's API; collects toasts and requests. */
export function renderBilling(
  view: (customer: Customer) => ReactNode,
  { answers, person, refreshed = () => person ?? info, at = "/", kind }: Options,
) {
  const said: string[] = [];
  const asked: Array<{ address: string; json: unknown; query?: unknown }> = [];
  /** What the toasts say at the end: one with an id takes the place of the earlier one. */
  const placeOf = new Map<string, number>();
  const say = (sentence: string, options?: { id: string }) => {
    const place = (options && placeOf.get(options.id)) ?? said.length;
    said[place] = sentence;
    if (options) placeOf.set(options.id, place);
  };
  const toasts = { ...createToasts(), error: say, success: say, info: say };
  const counts = { logIns: 0, refreshes: 0 };
  const call = async (address: string, { json, query }: { json?: unknown; query?: unknown }) => {
    asked.push({ address, json, query });
    const answer = answers[address];
    if (!answer) throw new Error(`${address} is not asked for in this test`);
    return answer(json);
  };
  const api = {
    call,
    open: () => Promise.reject(new Error("not asked for in this test")),
    locate: async () => ({ url: "http://localhost/api/", headers: {}, bearer: undefined }),
  } as unknown as Api; // its types depend on the path, and the answers are the test's

  function Page() {
    const [known, setKnown] = useState(person);
    const customer: Customer = {
      kind: kind ?? (known ? "person" : "guest"),
      info: known,
      logIn() {
        counts.logIns += 1;
      },
      async refresh() {
        counts.refreshes += 1;
        const next = refreshed();
        setKnown(next);
        return next;
      },
    };
    return view(customer);
  }
  const router = createMemoryRouter([{ path: "*", element: <Page /> }], { initialEntries: [at] });
  render(
    <ApiProvider api={api}>
      <ToastContext value={toasts}>
        <RouterProvider router={router} />
      </ToastContext>
    </ApiProvider>,
  );
  return { said, asked, counts, router };
}
