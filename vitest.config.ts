import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // CI has two slow cores, and many tests start the whole service.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    globalSetup: "test/global-setup.ts",
    include: ["packages/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    // By hand: npm run firebase.
    exclude: ["**/node_modules/**", "**/*.emulator.test.ts"],
    coverage: { provider: "v8", include: ["packages/*/{src,app}/**/*.{ts,tsx}"] },
  },
});
