// For `node --import`: the process writes its compile cache when it receives SIGUSR2. One that is killed writes none at its end.
import { flushCompileCache } from "node:module";

process.on("SIGUSR2", () => flushCompileCache());
