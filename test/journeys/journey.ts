import { test as base } from "@playwright/test";

/**
 * A test in its own browser context, with its own client address (2001:db8::/32 is for examples, RFC 3849), that
 * fails on script errors.
 */
export const test = base.extend<{ isCleanPage: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs
  extraHTTPHeaders: async ({}, use, { testId, retry }) => {
    // The end of the id is the test's own, the start is its file's. Limits count a /56 and a /48 as well, so each test has its own /48.
    const [block, network] = [testId.slice(-4), testId.slice(-8, -4)];
    await use({ "x-forwarded-for": `2001:db8:${block}:${network}:${retry}::1` });
  },
  isCleanPage: [
    async ({ page }, use, testInfo) => {
      const problems: string[] = [];
      const answers: string[] = [];
      page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith("/api/"))
          answers.push(`${response.request().method()} ${pathname} ${response.status()}`);
      });
      page.on("pageerror", ({ message }) => problems.push(message));
      page.on("console", (message) => {
        // The browser itself logs statuses above 399 as errors; journeys that provoke one check the page instead.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          problems.push(message.text());
      });
      await use(undefined);
      if (testInfo.status !== testInfo.expectedStatus) {
        // CI keeps only the output, so it must contain the page's content and the server's responses.
        const shown = await page.locator("body").ariaSnapshot({ timeout: 5_000 }).catch(String);
        console.log(`${testInfo.title}\n${answers.slice(-60).join("\n")}\n${shown}`);
      }
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
    { auto: true },
  ],
});
