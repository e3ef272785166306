import { creditHistory, deleteAccount, page, serviceCount, serviceUseMultiple, userInfo } from "../account.ts";
import type { Endpoint } from "../endpoint.ts";
import { usage, usageSpan } from "../usage.ts";
import { anyCall, bodyErrors, callerErrors, freshSignInErrors, personErrors } from "./errors.ts";

const read = { tag: "Credits and the account", access: "person", scope: "usage:read", errors: personErrors } as const;

export const accountEndpoints = {
  userInfo: {
    ...read,
    method: "GET",
    path: "/user-info",
    summary: "Get the account, its plan and remaining credits",
    response: { status: 200, body: userInfo, description: "The person." },
  },
  serviceUse: {
    tag: "Credits and the account",
    method: "POST",
    path: "/service-use",
    summary: "Reserve a credit",
    description: "The next operation uses it. Unused, it expires after 10 minutes.",
    access: "guest-or-person",
    scope: "process",
    response: { status: 200, body: serviceCount, description: "Credits used, including this one." },
    errors: [...anyCall, ...callerErrors, "out-of-credits", "network-allowance", "idempotency-mismatch"],
  },
  serviceUseMultiple: {
    tag: "Credits and the account",
    method: "POST",
    path: "/service-use-multiple",
    summary: "Reserve credits for a batch",
    access: "guest-or-person",
    scope: "process",
    body: serviceUseMultiple,
    example: { body: { file_count: 3 } },
    response: { status: 200, body: serviceCount, description: "Credits used, including these." },
    errors: [...anyCall, ...callerErrors, ...bodyErrors, "out-of-credits", "network-allowance", "idempotency-mismatch"],
  },
  creditHistory: {
    ...read,
    method: "GET",
    path: "/credits/history",
    summary: "List credit transactions, newest first, one per run",
    query: page,
    response: { status: 200, body: creditHistory, description: "A page of transactions." },
  },
  usage: {
    ...read,
    method: "GET",
    path: "/usage",
    summary: "Get usage by day, operation and key",
    description: "Days are UTC. A refunded credit is subtracted from the day it was charged.",
    query: usageSpan,
    response: { status: 200, body: usage, description: "The rows." },
  },
  usageCsv: {
    ...read,
    method: "GET",
    path: "/usage.csv",
    summary: "Get usage as CSV",
    query: usageSpan,
    response: { status: 200, file: "text/csv", description: "A line a row, under a line of names." },
  },
  deleteAccount: {
    tag: "Credits and the account",
    method: "POST",
    path: "/delete-account",
    summary: "Delete the account and all personal data",
    access: "person",
    needsFreshSignIn: true,
    body: deleteAccount,
    example: { body: { email: "you@example.com" } },
    response: { status: 204, description: "It is gone." },
    errors: [...personErrors, ...freshSignInErrors, ...bodyErrors, "conflict", "unavailable"],
  },
} as const satisfies Record<string, Endpoint>;
