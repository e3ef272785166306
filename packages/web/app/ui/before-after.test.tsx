// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { BeforeAfter } from "./before-after.tsx";

afterEach(cleanup);

test("before and after is a slider that says where it stands, and its divider follows", () => {
  const { container } = render(
    <BeforeAfter
      label="Compress: before and after"
      before={{ src: "/before.webp", label: "before" }}
      after={{ src: "/after.webp", label: "after" }}
      widthPx={600}
      heightPx={400}
    />,
  );
  // A native range: the browser's arrow keys, Home and End move it in steps of one.
  const slider = screen.getByRole<HTMLInputElement>("slider", { name: "Compress: before and after" });
  expect([slider.type, slider.min, slider.max, slider.step]).toEqual(["range", "0", "100", ""]);
  expect(slider.getAttribute("aria-valuetext")).toBe("50% before");
  for (const percent of [0, 1]) {
    fireEvent.change(slider, { target: { value: String(percent) } });
    expect(slider.getAttribute("aria-valuetext")).toBe(`${percent}% before`);
    expect(container.querySelector<HTMLElement>("[style*='left']")?.style.left).toBe(`${percent}%`);
  }
});
