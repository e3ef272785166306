// npm run up: from a fresh clone to a running product.
import { spawn } from "node:child_process";
import { install, root, run, tryBubblewrap } from "./install.mjs";

install();
tryBubblewrap();
// In parallel with the build, and not awaited: without the weights everything except removing backgrounds works, and
// that starts to work once they are there. The script reports a failure in one line.
spawn("npm", ["run", "models", "--silent"], { cwd: root, stdio: "inherit" });
run("npm", ["run", "build", "--silent"]);
// The server needs time to stop: forward the signal, and wait for it to exit.
const server = spawn("npm", ["start", "--silent"], { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.once("exit", (status) => process.exit(status ?? 1));
