import { registerHooks } from "node:module";

// For `node --import`: resolves the client's package to its source, so that tests of the command need not build it.
const source = new URL("../../packages/client/src/node.ts", import.meta.url).href;
registerHooks({ resolve: (name, context, next) => next(name === "@tintype/client" ? source : name, context) });
