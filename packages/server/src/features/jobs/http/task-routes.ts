import { endpoints, taskEndpoints } from "@tintype/contract/schemas";
import { refuseUnread, sniffBytes, sniffFormat } from "@tintype/imaging";
import { ownersOf } from "../../../http/caller.ts";
import type { Mount } from "../../../http/endpoint.ts";
import { readPrefer } from "../../../http/prefer.ts";
import { readHead } from "../../../http/upload.ts";
import {
  creditHeaders,
  describeFile,
  describeResult,
  rangeOfFile,
  rangeOfResult,
  sendFile,
  sendResult,
  sendSheet,
} from "../deliver/deliver.ts";
import { editOrder } from "../order/edit-order.ts";
import { orderOf } from "../order/order.ts";
import { previewOrder } from "../order/preview-order.ts";
import { requireEnded } from "../queue/begin.ts";
import { createRun, type Run, type RunDependencies } from "./run.ts";

/** Mounts every task of the contract. Returns the common path, for routes that bring an order of their own. */
export function mountImages(mount: Mount, dependencies: RunDependencies): Run {
  const { jobs } = dependencies;
  const run = createRun(dependencies);

  for (const row of Object.values(taskEndpoints))
    mount(row, ({ request, reply, caller, signal }) => {
      const { task } = row.form;
      const order = task === "preview" ? previewOrder({ jobs, clock: dependencies.clock, caller }) : orderOf(task);
      return run(request, reply, { caller, signal, order });
    });
  mount(endpoints.editFile, async ({ request, reply, caller, signal, params }) => {
    // Before the body is read: someone else's job accepts no form.
    await jobs.find(params.id, ownersOf(caller));
    const order = editOrder({ jobs, caller, ...params });
    return run(request, reply, { caller, signal, order });
  });

  mount(endpoints.fileCandidates, async ({ params, caller, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    return sendSheet(record, { index: params.index, reply, dependencies });
  });

  mount(endpoints.jobResult, async ({ request, params, caller, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    requireEnded(record);
    const cost = await jobs.credits(record, caller);
    const { wantsPicture } = readPrefer(request.headers["prefer"]);
    const context = { reply, credits: () => cost, dependencies, wantsPicture };
    if (request.method === "HEAD") return describeResult(record, context);
    return sendResult(record.id, { ...context, range: rangeOfResult(record, reply) });
  });
  mount(endpoints.jobFile, async ({ request, params, caller, reply }) => {
    const record = await jobs.find(params.id, ownersOf(caller));
    const cost = await jobs.credits(record, caller);
    if (cost) reply.headers(creditHeaders(cost));
    const context = { index: Number(params.index), reply, dependencies };
    if (request.method === "HEAD") return describeFile(record, context);
    return sendFile(record.id, { ...context, range: rangeOfFile(record, context) });
  });

  mount(endpoints.detectSourceFormat, async ({ request }) => {
    const head = await readHead(request, sniffBytes);
    const format = sniffFormat(head);
    if (!format) throw refuseUnread(head);
    return { source_format: format };
  });
  return run;
}
