import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/harness.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const detailOf = async (path: string, method = "GET") => {
  const answer = await app.caller().call(path, { method });
  expect(answer.status).toBe(404);
  return ((await answer.json()) as { detail: string }).detail;
};
const nothing = "There is nothing at this address.";

test.each([
  ["/api/compres", "/api/compress"],
  ["/api/job/job_1", "/api/jobs/job_1"],
  ["/api/recipe/run", "/api/recipes/run"],
  ["/api/remove_background", "/api/remove-background"],
  ["/api/removebackground/", "/api/remove-background"],
  ["/api/compress/photo.jpg", "/api/compress"],
  ["/api/jobs/job_1/status", "/api/jobs/job_1"],
  ["/api/v1/compress", "/api/compress"],
  ["/compress", "/api/compress"],
  ["/user-info", "/api/user-info"],
  ["/v1/jobs/job_1/result", "/api/jobs/job_1/result"],
])("%s is answered with the address that is meant, %s", async (path, meant) => {
  for (const method of ["POST", "GET"])
    expect(await detailOf(path, method), method).toBe(`${nothing} Did you mean ${meant}?`);
});

test.each([
  "/api/nothing/of/the/kind",
  "/api/admin/figure",
  "/api/admin",
  "/api/admins/figures",
  `/api/compres${"/x".repeat(200)}`,
  "/wp-login.php",
  "/api/",
])("%s is answered without a guess", async (path) => {
  expect(await detailOf(path, "POST")).toBe(nothing);
});
