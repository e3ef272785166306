// npm run dev: the server, restarted when its code changes, and the web app with hot reload in front of it.
import { spawn } from "node:child_process";
import { install, root, run } from "./install.mjs";

install();
run("npm", ["run", "kernels", "--silent"]);
const apiPort = process.env.API_PORT ?? "3001";
const webPort = process.env.PORT ?? "3000";
const start = (args, env) => spawn("npx", args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
const origin = `http://localhost:${webPort}`;
const children = [
  start(["node", "--watch", "packages/server/src/main.ts"], {
    PORT: apiPort,
    TINTYPE_ORIGIN: origin,
    TINTYPE_SITE: "false",
  }),
  start(["npm", "run", "dev", "-w", "@tintype/web", "--", "--port", webPort], {
    TINTYPE_API: `http://localhost:${apiPort}`,
  }),
];
const stop = () => {
  for (const child of children) child.kill("SIGTERM");
};
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
for (const child of children) child.on("exit", stop);
