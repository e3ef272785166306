import type { Endpoint } from "../endpoint.ts";
import { apiKeys, createdApiKey, newApiKey, rotateApiKey } from "../key.ts";
import { bodyErrors, freshSignInErrors, personErrors } from "./errors.ts";

export const keyEndpoints = {
  createKey: {
    tag: "API keys",
    method: "POST",
    path: "/keys",
    summary: "Create an API key",
    description: "The response contains the key. It is not stored and cannot be shown again.",
    access: "person",
    needsFreshSignIn: true,
    body: newApiKey,
    example: { body: { name: "Build server", scopes: ["process", "jobs:read"] } },
    response: { status: 201, body: createdApiKey, description: "The key." },
    errors: [...personErrors, ...freshSignInErrors, ...bodyErrors, "conflict"],
  },
  listKeys: {
    tag: "API keys",
    method: "GET",
    path: "/keys",
    summary: "List API keys, newest first",
    access: "person",
    scope: "keys:read",
    response: { status: 200, body: apiKeys, description: "The keys, each with its last four characters." },
    errors: personErrors,
  },
  deleteKey: {
    tag: "API keys",
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Revoke an API key",
    description: "Requests with the key are refused from now on.",
    access: "person",
    scope: "keys:revoke",
    needsFreshSignIn: true,
    response: { status: 204, description: "It is gone." },
    errors: [...personErrors, ...freshSignInErrors, "not-found"],
  },
  rotateKey: {
    tag: "API keys",
    method: "POST",
    path: "/keys/{id}/rotate",
    summary: "Replace an API key",
    description: "The new key has the name, scopes and expiry of the old one, which stays valid for the overlap.",
    access: "person",
    needsFreshSignIn: true,
    body: rotateApiKey,
    example: { body: { overlap_hours: 24 } },
    response: { status: 201, body: createdApiKey, description: "The new key." },
    errors: [...personErrors, ...freshSignInErrors, ...bodyErrors, "not-found", "conflict"],
  },
} as const satisfies Record<string, Endpoint>;
