import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "vitest/config";

const ofFirebase = createRequire(createRequire(import.meta.url).resolve("firebase/package.json"));
/** The SDK as browsers get it; its build for Node keeps no sign-in. */
const browserBuild = join(dirname(ofFirebase.resolve("@firebase/auth/package.json")), "dist/esm/index.js");

/** The Firebase adapter against Firebase's own emulator, by hand: CONTRIBUTING.md says how. */
export default defineConfig({
  resolve: { alias: [{ find: /^firebase\/auth$/, replacement: browserBuild }] },
  test: {
    include: ["packages/web/app/**/*.emulator.test.ts"],
    environment: "jsdom",
    server: { deps: { inline: [/firebase/] } },
  },
});
