// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../../../lib/api/context.tsx";
import { picture } from "../../testing/pictures.ts";
import { CandidateChoice } from "./candidate-choice.tsx";
import "../../../../ui/testing/patience.ts";

afterEach(cleanup);
URL.createObjectURL = () => "blob:the-sheet";
URL.revokeObjectURL = () => undefined;

/** Renders two candidates. The server answers the requests for their thumbnails with these, in order. */
function show(...answers: Array<() => Promise<Response>>) {
  const absent = () => Promise.reject(new Error("not asked for in this test"));
  let tries = 0;
  const open = () => {
    tries += 1;
    return (answers[tries - 1] ?? absent)();
  };
  const choice = { job: { id: "job-1", index: 0 }, order: undefined, candidates: 2, chosen: 1, status: "" };
  render(
    <ApiProvider api={{ call: absent, locate: absent, open: open as Api["open"] }}>
      <CandidateChoice picture={picture("head")} {...choice} onChoose={() => undefined} />
    </ApiProvider>,
  );
  return { tries: () => tries };
}

test("without thumbnails the candidates are numbered", async () => {
  const { tries } = show(() => Promise.reject(new ApiProblem({ status: 410, code: "gone", detail: "Gone." })));
  await waitFor(() => expect(tries()).toBe(1));
  expect([screen.getByText("1"), screen.getByText("2")]).toHaveLength(2);
  expect(screen.getByRole("radio", { name: "Cut-out 2 of 2" })).toBeTruthy();
});

test("thumbnails that did not come are asked for again", async () => {
  const { tries } = show(
    () => Promise.reject(new ConnectionLost()),
    async () => new Response("a PNG"),
  );
  await waitFor(() => expect(screen.queryByText("1")).toBeNull(), { timeout: 10_000 });
  expect(tries()).toBe(2);
});
