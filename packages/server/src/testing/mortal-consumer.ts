// A separate process that takes one turn of class `picture` and never ends it, for tests that kill it.
import { createLog } from "../platform/log.ts";
import { connectRedis } from "../platform/redis.ts";
import { createBullmqWork } from "../platform/work/bullmq.ts";

const [url = ""] = process.argv.slice(2);
const log = createLog("silent");
createBullmqWork({ redis: connectRedis({ url, log }), log }).consume("picture", {
  concurrency: 1,
  handle: (fileId) => new Promise(() => process.stdout.write(`${fileId}\n`)),
});
