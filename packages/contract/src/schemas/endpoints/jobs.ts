import { tasks } from "../../facts/operations/index.ts";
import { textsOf } from "../../reference/operation-texts.ts";
import { page } from "../account.ts";
import type { Endpoint } from "../endpoint.ts";
import { job, jobList } from "../job.ts";
import { taskOptions } from "../options.ts";
import { receiptKeys, signedReceipt } from "../receipt.ts";
import { anyCall, callerErrors, jobErrors, operationErrors, pictureErrors } from "./errors.ts";

const read = { tag: "Jobs", access: "guest-or-person", scope: "jobs:read", errors: jobErrors } as const;
const change = { tag: "Jobs", access: "guest-or-person", scope: "process", errors: jobErrors } as const;

export const jobEndpoints = {
  listJobs: {
    ...read,
    method: "GET",
    path: "/jobs",
    summary: "List the jobs of the last day, newest first",
    query: page,
    response: { status: 200, body: jobList, description: "A page of jobs." },
    errors: [...anyCall, ...callerErrors],
  },
  getJob: {
    ...read,
    method: "GET",
    path: "/jobs/{id}",
    summary: "Get a job",
    response: { status: 200, body: job, description: "The job." },
  },
  cancelJob: {
    ...change,
    method: "DELETE",
    path: "/jobs/{id}",
    summary: "Cancel a job or delete its results",
    description:
      "Processing stops, results are deleted, and the credits of undelivered results are refunded. If the job has ended, its results are deleted without a refund.",
    response: { status: 200, body: job, description: "The ended job." },
  },
  cancelFile: {
    ...change,
    method: "DELETE",
    path: "/jobs/{id}/files/{index}",
    summary: "Cancel one file of a job, or return a flagged result for a refund",
    description:
      "A waiting or running file is cancelled and its credit refunded; the other files continue, and the job ends with its last file. A finished cut-out that is `incomplete` and was neither downloaded nor edited is discarded: its credit is refunded, its pictures are deleted, and its `code` is `discarded`. Any other finished result is refused with `not-flagged` or `already-delivered`. A failed or cancelled file does not change.",
    response: { status: 200, body: job, description: "The job with the ended file." },
    errors: [...jobErrors, "conflict", "not-flagged", "already-delivered", "gone"],
  },
  jobEvents: {
    ...read,
    method: "GET",
    path: "/jobs/{id}/events",
    summary: "Stream a job's progress as server-sent events",
    description:
      "Continues after `Last-Event-ID`. Responds with 204 to a client that has received the last event, which stops an EventSource.",
    response: { status: 200, kind: "events", description: "Events of type snapshot, file and job." },
  },
  jobResult: {
    ...read,
    method: "GET",
    path: "/jobs/{id}/result",
    summary: "Download a job's result",
    description:
      "The response that the request without `respond-async` would have had. Once delivered, the result is deleted. HEAD has its headers and delivers nothing. With `Range` a single picture is sent in parts, and is not deleted before it expires; a ZIP is sent whole.",
    response: { status: 200, kind: "picture", message: true, ranges: true, description: "A picture or a ZIP." },
    errors: [...jobErrors, "job-not-finished", "gone", "range-not-satisfiable", ...pictureErrors, "nothing-succeeded"],
  },
  jobFile: {
    ...read,
    method: "GET",
    path: "/jobs/{id}/files/{index}",
    summary: "Download one result of a job",
    description:
      "Once all results of the job are delivered, they are deleted. HEAD and `Range` are as for the whole result of one picture.",
    response: { status: 200, kind: "picture", ranges: true, description: "The picture." },
    errors: [...jobErrors, "job-not-finished", "gone", "range-not-satisfiable", ...pictureErrors],
  },
  fileCandidates: {
    ...read,
    method: "GET",
    path: "/jobs/{id}/files/{index}/candidates",
    summary: "Get thumbnails of a cut-out's candidates",
    description:
      "A PNG with alpha: the candidates in order, one below the other, each at most 320 px wide and high and at most half the size of the cut-out. They are kept as long as the cut-out can be edited. An edit with `candidate` returns one at full resolution.",
    response: { status: 200, kind: "picture", description: "The thumbnails." },
    errors: [...jobErrors, "job-not-finished", "gone", ...pictureErrors],
  },
  editFile: {
    ...change,
    method: "POST",
    path: "/jobs/{id}/files/{index}/edit",
    summary: textsOf("edit").summary,
    description: textsOf("edit").description,
    form: { task: "edit", options: taskOptions.edit, files: "none" },
    example: { fields: tasks.edit.example },
    response: { status: 200, kind: "picture", description: "The cut-out as it is now." },
    errors: [...operationErrors, "not-found", "job-not-finished", "gone"],
  },
  jobReceipt: {
    ...read,
    method: "GET",
    path: "/jobs/{id}/receipt",
    summary: "Get a signed receipt: the work done and when the pictures were deleted",
    description: "Kept for 30 days. It contains no picture and no file name, so it can be shared.",
    response: { status: 200, body: signedReceipt, description: "The receipt, as JSON and signed." },
    errors: [...jobErrors, "job-not-finished"],
  },
  receiptKeys: {
    tag: "Jobs",
    method: "GET",
    path: "/receipt-keys",
    summary: "Get the keys for verifying receipts, as a JWK Set",
    access: "anybody",
    response: { status: 200, body: receiptKeys, description: "RFC 7517." },
    errors: anyCall,
  },
} as const satisfies Record<string, Endpoint>;
