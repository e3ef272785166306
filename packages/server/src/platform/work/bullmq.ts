import { type Job, Queue, Worker } from "bullmq";
import type { RedisLink, RedisLog } from "../redis.ts";
import { withTimeout } from "../with-timeout.ts";
import { createLaneChoice } from "./lane-choice.ts";
import { type ConsumeOptions, type Consumer, type Lane, type Work, type WorkClass, workClasses } from "./work.ts";

/** A single slot of a Redis Cluster: a consumer waits on both lanes with one command. */
const prefix = "{tintype}";
const lanes: readonly Lane[] = ["fast", "normal"];
const queueName = (workClass: WorkClass, lane: Lane) => `${workClass}-${lane}`;
/** BullMQ sets it when there is a job to take, and a waiting consumer removes it. */
const markerKey = (workClass: WorkClass, lane: Lane) => `${prefix}:${queueName(workClass, lane)}:marker`;

const commandTimeoutMs = 2_000;
/** A file whose consumer died moves to another one after 3 to 4 s: its lock expires, and a check each second detects that. */
const lockDurationMs = 3_000;
const lockRenewIntervalMs = 1_000;
/** An idle consumer polls after this time, in case it was not woken. */
const pollIntervalMs = 2_000;
/** How long a closing consumer waits to report its last turns to Redis. */
const reportTimeoutMs = 1_000;

type Options = { redis: RedisLink; log: RedisLog };

/**
 * The work queue on BullMQ: a queue for each class and lane. A consumer fetches jobs itself, because a running BullMQ
 * worker serves only one queue and cannot choose between two lanes.
 */
export function createBullmqWork({ redis, log }: Options): Work {
  const queues = new Map<string, Queue>();
  const consumers = new Set<Consumer>();
  const queueOf = (workClass: WorkClass, lane: Lane) => {
    const name = queueName(workClass, lane);
    const known = queues.get(name);
    if (known) return known;
    const queue = new Queue(name, {
      connection: redis.shared,
      prefix,
      // Nothing reads these events.
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    queue.on("error", () => {}); // the link logs outages; a failed command rejects where it was asked for
    queues.set(name, queue);
    return queue;
  };
  const everyQueue = workClasses.flatMap((workClass) => lanes.map((lane) => ({ workClass, lane })));
  const within = <File extends { workClass: WorkClass; lane: Lane }>(files: readonly File[]) =>
    everyQueue
      .map(({ workClass, lane }) => ({
        workClass,
        lane,
        files: files.filter((file) => file.workClass === workClass && file.lane === lane),
      }))
      .filter((group) => group.files.length > 0);
  return {
    async offer(offers) {
      await redis.execute(commandTimeoutMs, () =>
        Promise.all(
          within(offers).map(({ workClass, lane, files }) =>
            queueOf(workClass, lane).addBulk(
              files.map(({ fileId, priority }) => ({
                name: "file",
                data: {},
                opts: { jobId: fileId, priority },
              })),
            ),
          ),
        ),
      );
    },
    async withdraw(files) {
      try {
        await redis.execute(commandTimeoutMs, () =>
          Promise.all(files.map(({ workClass, lane, fileId }) => queueOf(workClass, lane).remove(fileId))),
        );
      } catch (problem) {
        log.warn({ err: problem, files: files.length }, "cannot withdraw files from the queue; their claims will fail");
      }
    },
    consume(workClass, options) {
      const consumer = startConsumer(workClass, { redis, log, ...options });
      consumers.add(consumer);
      return consumer;
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

type Turn = { job: Job; lane: Lane; token: string };

function startConsumer(workClass: WorkClass, { redis, log, concurrency, handle }: Options & ConsumeOptions): Consumer {
  const workers: Record<Lane, Worker> = {
    fast: openLane(queueName(workClass, "fast"), redis),
    normal: openLane(queueName(workClass, "normal"), redis),
  };
  const waiting = redis.open();
  const choice = createLaneChoice();
  /** Turns in progress, and when each ends: first its work, then its report to Redis. */
  const turns = new Map<Turn, { handled: Promise<void>; reported: Promise<void> }>();
  let isClosing = false;
  let freeSlot = () => {};
  let tokens = 0;

  const takeFrom = async (lane: Lane): Promise<Turn | undefined> => {
    const token = `${workers[lane].id}-${tokens++}`;
    const job = await workers[lane].getNextJob(token, { block: false });
    if (job) choice.took(lane);
    return job && { job, lane, token };
  };
  const next = async (): Promise<Turn | undefined> => {
    for (const lane of choice.order()) {
      const turn = await takeFrom(lane);
      if (turn) return turn;
    }
    const woken = await waiting.bzpopmin(...lanes.map((lane) => markerKey(workClass, lane)), pollIntervalMs / 1000);
    // Poll the woken lane first: its marker is gone, and only a take restores it for other consumers.
    const lane = woken && lanes.find((one) => markerKey(workClass, one) === woken[0]);
    return lane ? takeFrom(lane) : undefined;
  };
  const begin = (turn: Turn) => {
    const fileId = turn.job.id ?? ""; // a job that was fetched has one
    const handled = handle(fileId).catch((problem: unknown) => log.error({ err: problem, fileId }, "a turn failed"));
    const reported = handled
      // Fails if the lock was lost: another consumer has the file then, and this turn has ended too.
      .then(() => turn.job.moveToCompleted(null, turn.token, false))
      .catch(() => {})
      .then(() => {
        turns.delete(turn);
        freeSlot();
      });
    turns.set(turn, { handled, reported });
  };
  const serve = async () => {
    while (!isClosing) {
      if (turns.size >= concurrency) {
        await new Promise<void>((done) => {
          freeSlot = done;
        });
        continue;
      }
      const turn = await next();
      if (turn && isClosing) await turn.job.moveToWait(turn.token);
      else if (turn) begin(turn);
    }
  };
  const serveUntilClosed = async () => {
    while (!isClosing) {
      await serve().catch(async (problem: unknown) => {
        if (isClosing) return;
        log.warn({ err: problem, workClass }, "cannot take work from the queue; trying again");
        await new Promise((done) => setTimeout(done, lockRenewIntervalMs));
      });
    }
  };
  const serving = serveUntilClosed();
  const renewal = setInterval(() => {
    for (const lane of lanes) {
      const held = [...turns.keys()].filter((turn) => turn.lane === lane);
      const ids = held.map(({ job }) => job.id ?? "");
      // A lock that cannot be renewed is lost. The claim of the row decides who works on the file.
      if (held.length > 0)
        workers[lane]
          .extendJobLocks(
            ids,
            held.map(({ token }) => token),
            lockDurationMs,
          )
          .catch(() => {});
    }
  }, lockRenewIntervalMs);
  return {
    async close() {
      isClosing = true;
      freeSlot();
      waiting.disconnect();
      await Promise.all([...turns.values()].map(({ handled }) => handled));
      const finalReports = Promise.all([serving, ...[...turns.values()].map(({ reported }) => reported)]);
      await withTimeout(reportTimeoutMs, finalReports).catch(() => {}); // Redis is away: the locks expire by themselves
      clearInterval(renewal);
      await Promise.all(lanes.map((lane) => workers[lane].close(true)));
    },
  };
}

/** BullMQ's worker for one queue, without autorun: it requeues files of dead consumers. */
function openLane(name: string, redis: RedisLink): Worker {
  const worker = new Worker(name, null, {
    connection: redis.shared,
    prefix,
    autorun: false,
    lockDuration: lockDurationMs,
    stalledInterval: lockRenewIntervalMs,
    skipLockRenewal: true,
    // Tries are counted in the file's row, so BullMQ's own limit is disabled.
    maxStalledCount: 1_000_000,
  });
  worker.on("error", () => {}); // the link logs outages
  worker.startStalledCheckTimer().catch(() => {}); // it starts again by itself after an outage
  return worker;
}
