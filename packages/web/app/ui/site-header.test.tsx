// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test } from "vitest";
import { SiteHeader } from "./site-header.tsx";

afterEach(cleanup);

test("a shadow lies under the header once the page is scrolled", () => {
  render(<SiteHeader />, { wrapper: MemoryRouter });
  const header = screen.getByRole("banner");
  const shadow = header.querySelector("[aria-hidden].top-full");
  const scrollTo = (scrollY: number) =>
    act(() => {
      Object.assign(window, { scrollY });
      window.dispatchEvent(new Event("scroll"));
    });
  for (const [scrollY, isScrolled] of [
    [0, false],
    [10, false],
    [11, true],
    [0, false],
  ] as const) {
    scrollTo(scrollY);
    expect(header.dataset["scrolled"]).toBe(String(isScrolled));
    expect(shadow?.classList.contains("opacity-0")).toBe(!isScrolled);
  }
});
