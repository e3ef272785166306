// npm run up: everything from a fresh clone to a running product.
import { spawn } from "node:child_process";
import { install, root, run, tryBubblewrap } from "./install.mjs";

install();
tryBubblewrap();
// Beside the build, and not waited for: without the weights all but removing backgrounds works, and that begins to
// when they are there. The script reports a failure in a line.
spawn("npm", ["run", "models", "--silent"], { cwd: root, stdio: "inherit" });
run("npm", ["run", "build", "--silent"]);
// The server takes its time to stop. A signal goes on to it, and this waits for its end.
const server = spawn("npm", ["start", "--silent"], { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.once("exit", (status) => process.exit(status ?? 1));
