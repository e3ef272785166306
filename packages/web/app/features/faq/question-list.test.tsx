// @vitest-environment jsdom
import { render } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { QuestionList } from "./question-list.tsx";

test("a list of questions holds every answer in the page, the first one open", () => {
  const questions = ["one", "two"].map((id) => ({
    id,
    question: `Question ${id}`,
    answer: `<p>Answer ${id}</p>`,
    plainAnswer: `Answer ${id}`,
  }));
  const { container } = render(<QuestionList questions={questions} />, { wrapper: MemoryRouter });
  const details = [...container.querySelectorAll("details")];
  expect(details.map(({ open }) => open)).toEqual([true, false]);
  expect(new Set(details.map((one) => one.getAttribute("name")))).toEqual(new Set(["questions"]));
  expect(container.textContent).toContain("Answer two");
});
