// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { FileName } from "./file-name.tsx";

afterEach(cleanup);

test("a long name keeps its end, and is whole for a screen reader and a pointer", () => {
  const name = "IMG_20261126_very_long_name_of_a_walk-edited.jpg";
  const shown = render(<FileName name={name} />).container.firstElementChild as HTMLElement; // it renders one element
  const [start, end] = [...shown.children];
  expect(shown.textContent).toBe(name);
  expect(shown.title).toBe(name);
  expect(start?.className).toContain("truncate");
  expect(end?.textContent).toBe("k-edited.jpg");
  expect(end?.className).toContain("shrink-0");
});

test("a short name is one piece, and no letter of two code units is cut in two", () => {
  expect(render(<FileName name="a.jpg" />).container.querySelector("span span")).toBeNull();
  cleanup();
  const ends = render(<FileName name={"🌊".repeat(30)} />).container.querySelectorAll("span span");
  expect(ends[1]?.textContent).toBe("🌊".repeat(12));
});

test.each(["תמונה.jpg", "תמונה של הים במפרץ חיפה בערב.jpg"])("the direction of a name is its own: %s", (name) => {
  const shown = render(<FileName name={name} />).container.firstElementChild as HTMLElement; // it renders one element
  expect(shown.dir).toBe("auto");
  expect(shown.className).toContain("text-left");
});
