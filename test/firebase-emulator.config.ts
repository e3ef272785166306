import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "vitest/config";

const ofFirebase = createRequire(createRequire(import.meta.url).resolve("firebase/package.json"));
/** The SDK's browser build. Its Node.js build does not persist sign-ins. */
const browserBuild = join(dirname(ofFirebase.resolve("@firebase/auth/package.json")), "dist/esm/index.js");

/** Tests the Firebase adapter against Firebase's emulator. Run by hand, as described in CONTRIBUTING.md. */
export default defineConfig({
  resolve: { alias: [{ find: /^firebase\/auth$/, replacement: browserBuild }] },
  test: {
    include: ["packages/web/app/**/*.emulator.test.ts"],
    environment: "jsdom",
    server: { deps: { inline: [/firebase/] } },
  },
});
