import { test as base } from "@playwright/test";

/**
 * A test in a browser of its own, from a network of its own (2001:db8::/32 is for examples, RFC 3849), that fails on
 * script errors.
 */
export const test = base.extend<{ isCleanPage: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs
  extraHTTPHeaders: async ({}, use, { testId, retry }) => {
    const last = 1 + (Number.parseInt(testId.slice(-6), 16) % 250);
    const group = Number.parseInt(testId.slice(0, 4), 16).toString(16);
    await use({ "x-forwarded-for": `2001:db8:${group}:${last}:${retry}::1` });
  },
  isCleanPage: [
    async ({ page }, use) => {
      const problems: string[] = [];
      page.on("pageerror", ({ message }) => problems.push(message));
      page.on("console", (message) => {
        // The browser itself reports answers above 399 as errors; journeys that ask for one look at the page instead.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          problems.push(message.text());
      });
      await use(undefined);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
    { auto: true },
  ],
});
