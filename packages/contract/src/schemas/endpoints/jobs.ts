import { tasks } from "../../facts/operations/index.ts";
import { textsOf } from "../../reference/operation-texts.ts";
import { page } from "../account.ts";
import type { Endpoint } from "../endpoint.ts";
import { job, jobList } from "../job.ts";
import { taskOptions } from "../options.ts";
import { receiptKeys, signedReceipt } from "../receipt.ts";
import { anyCall, callerErrors, jobErrors, operationErrors, pictureErrors } from "./errors.ts";

export const jobEndpoints = {
  listJobs: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs",
    summary: "The caller's jobs of the last day, newest first",
    access: "guest-or-person",
    scope: "jobs:read",
    query: page,
    answer: { status: 200, body: jobList, description: "A page of jobs." },
    errors: [...anyCall, ...callerErrors],
  },
  getJob: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}",
    summary: "How a job stands",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, body: job, description: "The job." },
    errors: jobErrors,
  },
  cancelJob: {
    tag: "Jobs",
    method: "DELETE",
    path: "/jobs/{id}",
    summary: "Cancel a job, or drop its results",
    description:
      "Work stops, results are deleted, and the credits of what was not delivered come back. Of a job that has ended the results are deleted, and its credits stay taken.",
    access: "guest-or-person",
    scope: "process",
    answer: { status: 200, body: job, description: "The job as it ended." },
    errors: jobErrors,
  },
  cancelFile: {
    tag: "Jobs",
    method: "DELETE",
    path: "/jobs/{id}/files/{index}",
    summary: "Cancel one file of a job, or discard a flagged result for its credit",
    description:
      "A file that waits or is worked on ends as cancelled, and its credit comes back; the others go on, and the job ends with its last file. A finished cut-out that is `incomplete` and was neither downloaded nor edited is discarded: its credit comes back, its pictures are deleted, and its `code` is `discarded`. Any other finished result is refused with `not-flagged` or `already-delivered`. A file that failed or was cancelled stays as it is.",
    access: "guest-or-person",
    scope: "process",
    answer: { status: 200, body: job, description: "The job with the file as it ended." },
    errors: [...jobErrors, "conflict", "not-flagged", "already-delivered", "gone"],
  },
  jobEvents: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/events",
    summary: "A job's progress as server-sent events",
    description:
      "Goes on after `Last-Event-ID`. Answers 204 to a client that has seen the end, which stops an EventSource.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "events", description: "Events of type snapshot, file and job." },
    errors: jobErrors,
  },
  jobResult: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/result",
    summary: "A job's whole result",
    description: "The answer that the plain call would have given. Once delivered, it is deleted.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "picture", message: true, description: "A picture or a ZIP." },
    errors: [...jobErrors, "job-not-finished", "gone", ...pictureErrors, "nothing-succeeded"],
  },
  jobFile: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/files/{index}",
    summary: "One result of a job",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "picture", description: "The picture." },
    errors: [...jobErrors, "job-not-finished", "gone", ...pictureErrors],
  },
  fileCandidates: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/files/{index}/candidates",
    summary: "The candidates of a cut-out, as thumbnails",
    description:
      "A PNG with alpha: all candidates in their order, one below the other, each at most 320 px wide and high and half as large as the cut-out. They are kept as long as the cut-out is for edits. An edit with `candidate` gives one at full resolution.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, kind: "picture", description: "The thumbnails." },
    errors: [...jobErrors, "job-not-finished", "gone", ...pictureErrors],
  },
  editFile: {
    tag: "Jobs",
    method: "POST",
    path: "/jobs/{id}/files/{index}/edit",
    summary: textsOf("edit").summary,
    description: textsOf("edit").description,
    access: "guest-or-person",
    scope: "process",
    form: { task: "edit", options: taskOptions.edit, files: "none" },
    example: { fields: tasks.edit.example },
    answer: { status: 200, kind: "picture", description: "The cut-out as it is now." },
    errors: [...operationErrors, "not-found", "job-not-finished", "gone"],
  },
  jobReceipt: {
    tag: "Jobs",
    method: "GET",
    path: "/jobs/{id}/receipt",
    summary: "A signed receipt: the work done, and the times of the pictures' deletion",
    description: "Kept for 30 days. It holds no picture and no name: it can be shown to somebody else.",
    access: "guest-or-person",
    scope: "jobs:read",
    answer: { status: 200, body: signedReceipt, description: "The receipt, plain and signed." },
    errors: [...jobErrors, "job-not-finished"],
  },
  receiptKeys: {
    tag: "Jobs",
    method: "GET",
    path: "/receipt-keys",
    summary: "The keys that receipts are verified with, as a JWK Set",
    access: "anybody",
    answer: { status: 200, body: receiptKeys, description: "RFC 7517." },
    errors: anyCall,
  },
} as const satisfies Record<string, Endpoint>;
