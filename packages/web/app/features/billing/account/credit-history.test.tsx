// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import type { CreditLine } from "@tintype/contract";
import { afterEach, expect, test } from "vitest";
import { renderBilling } from "../testing/render-billing.tsx";
import { CreditHistory } from "./credit-history.tsx";

afterEach(cleanup);

const run: CreditLine = {
  id: "1",
  at: "2026-11-22T10:00:00.000Z",
  operation: "compress",
  change: "charged",
  file: null,
  reason: null,
  files: 12,
  credits: 12,
  given_back: 0,
};

test("a run is one line: its files, what came back of them and why, and what it cost in the end", async () => {
  const lines: CreditLine[] = [
    run,
    { ...run, id: "2", files: 3, credits: 3, given_back: 1, reason: "The image is damaged and cannot be read." },
    { ...run, id: "3", files: 1, credits: 1, file: "harbour.jpg" },
    { ...run, id: "4", files: 1, credits: 1, given_back: 1, file: "torn.jpg", reason: "The job was cancelled." },
    { ...run, id: "6", operation: "convert", files: 1, credits: 0, reason: "continued" },
    { ...run, id: "5", operation: null, change: "reserved", files: 0, credits: 2 },
  ];
  renderBilling(() => <CreditHistory />, { answers: { "GET /credits/history": () => ({ lines, next: null }) } });
  const rows = (await screen.findAllByRole("row"))
    .slice(1)
    .map((row) =>
      [...row.querySelectorAll("td")]
        .slice(1)
        .map((cell) => [...cell.childNodes].map(({ textContent }) => textContent)),
    );
  expect(rows).toEqual([
    [["Compress, 12 files"], ["−12"]],
    [["Compress, 3 files", "1 credit returned", "The image is damaged and cannot be read."], ["−2"]],
    [["Compress", "harbour.jpg"], ["−1"]],
    [["Compress", "torn.jpg", "Returned", "The job was cancelled."], ["0"]],
    [["Convert", "A further step on a result"], ["0"]],
    [["Reserved"], ["−2"]],
  ]);
});
