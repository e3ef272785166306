// npm run check:containers: builds the image and runs it with podman or docker, once as one container with everything in
// it, once as 2 API processes, 2 picture workers and 1 model worker on a real PostgreSQL, Redis and S3 server.
//
//   NODE_IMAGE, BASE_IMAGE   other base images, where docker.io cannot be reached
//   NPMRC                    a file with registry settings for the build
//   IMAGE                    check this image and build none
//   RUNTIME                  podman's runtime; `runc` where crun refuses a machine with both versions of cgroups
//
// It wants Linux (containers use the host's network to reach the three servers), and what `npm run verify` installs.
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { promisify } from "node:util";
import sharp from "sharp";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { startRedis } from "../packages/server/src/testing/redis.ts";
import { startS3 } from "../packages/server/src/testing/s3.ts";
import { root } from "./install.mjs";

const maxImageMb = 550;
const { NODE_IMAGE, BASE_IMAGE, NPMRC, RUNTIME } = process.env;
const engine = ["podman", "docker"].find((name) => spawnSync(name, ["info"], { stdio: "ignore" }).status === 0);
if (!engine) fail("Neither podman nor docker runs on this machine.");

function fail(message) {
  console.error(message);
  process.exit(1);
}
function call(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8", ...options });
  if (status !== 0)
    throw new Error(`${command} ${args.slice(0, 3).join(" ")} ended with ${status}.\n${stdout}${stderr}`);
  return stdout?.trim() ?? "";
}

function buildImage() {
  const image = "localhost/tintype:check";
  const args = [
    ...(NODE_IMAGE ? ["--build-arg", `NODE=${NODE_IMAGE}`] : []),
    ...(BASE_IMAGE ? ["--build-arg", `BASE=${BASE_IMAGE}`] : []),
    ...(NPMRC ? ["--secret", `id=npmrc,src=${NPMRC}`] : []),
  ];
  call(engine, ["build", ...(engine === "podman" ? ["--isolation", "chroot"] : []), ...args, "-t", image, "."], {
    stdio: "inherit",
  });
  return image;
}

const freePort = () =>
  new Promise((done, reject) => {
    const probe = createServer()
      .on("error", reject)
      .listen(0, "127.0.0.1", () => {
        const { port } = probe.address();
        probe.close(() => done(port));
      });
  });

const running = new Set();
const logs = (id) => {
  const { stdout, stderr } = spawnSync(engine, ["logs", id], { encoding: "utf8" });
  return stdout + stderr;
};

/**
 * A container under the limits that docs/operations.md recommends: read-only root, no capabilities, uid 1000, engines
 * in their own namespaces.
 */
async function start(name, environment, { memory = "2g" } = {}) {
  const port = await freePort();
  const env = {
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    PORT: String(port),
    TINTYPE_SANDBOX: "required",
    ...environment,
  };
  const id = call(engine, [
    ...(RUNTIME ? ["--runtime", RUNTIME] : []),
    "run",
    "--detach",
    "--network",
    "host",
    "--read-only",
    "--cap-drop",
    "ALL",
    "--user",
    "1000:1000",
    "--security-opt",
    "no-new-privileges",
    "--security-opt",
    "seccomp=deploy/seccomp.json",
    ...(engine === "docker" ? ["--security-opt", "apparmor=unconfined"] : []),
    "--memory",
    memory,
    "--tmpfs",
    "/tmp:mode=1777",
    "--ulimit",
    "nofile=16384:16384",
    "--ulimit",
    "nproc=4096:4096",
    "--stop-timeout",
    "40",
    ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
  ]);
  running.add(id);
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + 120_000; ; ) {
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) break;
    const isRunning = call(engine, ["inspect", "--format", "{{.State.Running}}", id]) === "true";
    if (!isRunning || Date.now() > end)
      throw new Error(`${name} ${isRunning ? "was not ready within two minutes" : "ended"}.\n${logs(id)}`);
    await new Promise((done) => setTimeout(done, 250));
  }
  console.log(`ok ${name} is ready`);
  // What an engine without a sandbox could do: a program of the same user.
  const { status, stdout } = spawnSync(engine, ["exec", id, "cat", "/proc/1/environ"], { encoding: "utf8" });
  if (status === 0 && /SECRET=|_URL=/.test(stdout)) throw new Error(`${name} shows its secrets in /proc/1/environ.`);
  return { id, name, url };
}

async function stop({ id, name }) {
  // Not `call`: it would block the S3 server, which runs in this process.
  await promisify(execFile)(engine, ["stop", id]);
  const status = call(engine, ["inspect", "--format", "{{.State.ExitCode}}", id]);
  if (status !== "0") throw new Error(`${name} ended with ${status} after SIGTERM.\n${logs(id)}`);
  call(engine, ["rm", "--force", "--volumes", id]);
  running.delete(id);
  console.log(`ok ${name} drained and ended with 0`);
}

/** A red apple on a grey wall. */
const photo = await sharp(
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">
    <rect width="800" height="600" fill="#b9bcc2"/><ellipse cx="400" cy="500" rx="190" ry="24" fill="#8d9096"/>
    <circle cx="400" cy="330" r="170" fill="#c4261d"/><circle cx="340" cy="270" r="50" fill="#e8695f"/>
    <path d="M400 180 q10 -60 50 -80" stroke="#5b3a1e" stroke-width="14" fill="none"/></svg>`),
)
  .jpeg({ quality: 95 })
  .toBuffer();

async function work(url, operation, fields = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("files", new Blob([photo]), "photo.jpg");
  const answer = await fetch(`${url}/api/${operation}/`, { method: "POST", body: form });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${operation} was answered ${answer.status}: ${bytes}`);
  const { width } = await sharp(bytes).metadata();
  console.log(`ok ${operation}: ${bytes.length} bytes, ${width} pixels wide`);
}

const image = process.env.IMAGE ?? buildImage();
const closing = [];
try {
  const sizeMb = Number(call(engine, ["image", "inspect", "--format", "{{.Size}}", image])) / 1e6;
  console.log(`${sizeMb <= maxImageMb ? "ok" : "large:"} the image has ${Math.round(sizeMb)} MB`);
  if (sizeMb > maxImageMb && !BASE_IMAGE) throw new Error(`The image is larger than ${maxImageMb} MB.`);

  const alone = await start("one container with everything", {});
  await work(alone.url, "compress", { quality: "70" });
  await work(alone.url, "remove-background");
  await stop(alone);

  const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()]);
  closing.push(postgres, redis, s3);
  const shared = {
    TINTYPE_SECRET: randomBytes(32).toString("hex"),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  };
  const names = {
    api: { TINTYPE_ROLE: "api" },
    picture: { TINTYPE_ROLE: "worker", TINTYPE_WORK: "picture", TINTYPE_ENGINES: "1" },
    model: { TINTYPE_ROLE: "worker", TINTYPE_WORK: "model" },
  };
  const cluster = await Promise.all(
    ["api", "api", "picture", "picture", "model"].map((part, i) =>
      start(`${part} ${i}`, { ...shared, ...names[part] }),
    ),
  );
  const [first, second, picture] = cluster;
  await work(first.url, "compress", { quality: "70" });
  await work(second.url, "resize", { width: "400" });
  await stop(picture);
  await work(second.url, "compress", { quality: "60" });
  await work(first.url, "upscale", { scale_factor: "2" });
  for (const container of cluster.filter((one) => one !== picture)) await stop(container);
  console.log("The image works alone and as a cluster.");
} finally {
  for (const id of running) spawnSync(engine, ["rm", "--force", "--volumes", id], { stdio: "ignore" });
  await Promise.all(closing.map((one) => one.close()));
}
