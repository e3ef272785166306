import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // CI has two slow cores, and many tests start the whole service.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // Of its own it would leave a core free, which is half of what CI has: 10 minutes in place of 6.
    maxWorkers: "100%",
    globalSetup: "test/global-setup.ts",
    include: ["packages/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    // By hand: npm run firebase.
    exclude: ["**/node_modules/**", "test/fixtures/**", "**/*.emulator.test.ts"],
    coverage: { provider: "v8", include: ["packages/*/{src,app}/**/*.{ts,tsx}"] },
  },
});
