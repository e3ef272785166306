// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { QuestionStrip } from "./question-strip.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [true, "Play the questions"],
  [false, "Pause the questions"],
])("with reduced motion set to %s the strip begins with the button: %s", async (isReduced, label) => {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: isReduced && query.includes("prefers-reduced-motion") }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  const questions = [{ id: "one", question: "One?", excerpt: "Yes." }];
  render(<QuestionStrip questions={questions} />, { wrapper: MemoryRouter });
  expect(await screen.findByRole("button", { name: label })).toBeDefined();
});
