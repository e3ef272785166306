import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Api } from "@tintype/contract/api";
import { type ReactNode, useEffect } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { ApiProvider } from "../../../lib/api/context.tsx";
import { createToasts, ToastContext } from "../../../ui/toasts.tsx";
import type { Caller } from "../state/studio-state.ts";
import { StudioSection } from "../studio-section.tsx";
import type { Studio } from "../work/studio.ts";
import { StudioProvider, useStudio } from "../work/studio-context.tsx";
import "../../../ui/testing/patience.ts";

/** Stubs for functions that the studio calls and jsdom lacks. */
function fillGaps() {
  window.matchMedia ??= (query) => Object.assign(new EventTarget(), { matches: false, media: query }) as MediaQueryList;
  URL.createObjectURL ??= () => "blob:nothing";
  URL.revokeObjectURL ??= () => undefined;
  Element.prototype.scrollIntoView ??= () => undefined;
}

const host = {
  outOfCredits: async () => undefined,
  findShortage: async () => undefined,
  creditsUsed: () => undefined,
  signUp: () => undefined,
};

/** Hands out the studio, and sets its caller, as the session does. */
function Hold({ caller, take }: { caller: Caller | undefined; take(studio: Studio): void }) {
  const studio = useStudio();
  take(studio);
  useEffect(() => caller && studio.dispatch({ type: "caller-known", caller }), [studio, caller]);
  return null;
}

type RenderOptions = { api: Partial<Api>; path?: string; caller?: Caller };

/** Renders a studio on the test's API. */
export async function renderStudio({ api, path = "/", caller }: RenderOptions) {
  fillGaps();
  const said: string[] = [];
  const toasts = {
    ...createToasts(),
    error: (sentence: string) => said.push(sentence),
    info: (sentence: string) => said.push(sentence),
  };
  const absent = () => Promise.reject(new Error("not asked for in this test"));
  const whole: Api = { call: absent, open: absent, locate: absent, ...api };
  let studio: Studio | undefined;
  const take = (held: Studio) => {
    studio = held;
  };
  const element = (
    <StudioProvider host={host}>
      <Hold caller={caller} take={take} />
      <StudioSection />
    </StudioProvider>
  );
  const router = createMemoryRouter([{ path: "/", element }], { initialEntries: [path] });
  render(
    <ApiProvider api={whole}>
      <ToastContext value={toasts}>
        <RouterProvider router={router} />
      </ToastContext>
    </ApiProvider>,
  );
  if (!studio) throw new Error("it was rendered");
  await act(studio.begin);
  return { said, router, studio, user: userEvent.setup({ applyAccept: false }) };
}

const never = () => new Promise<never>(() => undefined);

/** Renders a part of a studio. Without `api`, its server never answers. */
export async function renderPart(
  part: ReactNode,
  api: Api = { call: never, locate: never, open: never },
): Promise<Studio> {
  let studio: Studio | undefined;
  function Part() {
    studio = useStudio();
    return part;
  }
  render(
    <ApiProvider api={api}>
      <ToastContext value={createToasts()}>
        <StudioProvider host={host}>
          <Part />
        </StudioProvider>
      </ToastContext>
    </ApiProvider>,
  );
  if (!studio) throw new Error("it was rendered");
  await act(studio.begin);
  return studio;
}
