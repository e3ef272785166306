import { registerHooks } from "node:module";

// For `node --import`: the client's package leads to what is built of it, which a test of the command does not wait for.
const source = new URL("../../packages/client/src/node.ts", import.meta.url).href;
registerHooks({ resolve: (name, context, next) => next(name === "@tintype/client" ? source : name, context) });
