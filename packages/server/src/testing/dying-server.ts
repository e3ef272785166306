// A mortal service in a process of its own, which it kills. Loads its code, begins when its input ends, and prints its address when it
// listens.
import { flushCompileCache } from "node:module";
import { text } from "node:stream/consumers";
import { startMortalService } from "./mortal-service.ts";

// A process that is killed writes nothing at its end.
flushCompileCache();
await text(process.stdin);
const kill = () => process.kill(process.pid, "SIGKILL");
const { baseUrl } = await startMortalService({ environment: process.env, kill });
process.stdout.write(`${baseUrl}\n`);
