import { z } from "zod";
import { contactForm, publicConfig } from "../account.ts";
import { location } from "../billing.ts";
import type { Endpoint } from "../endpoint.ts";
import { anyCall, bodyErrors, callerErrors } from "./errors.ts";

export const aboutEndpoints = {
  config: {
    tag: "About this service",
    method: "GET",
    path: "/config",
    summary: "Get the public configuration of the service for this caller",
    access: "visitor-or-person",
    scope: "usage:read",
    response: { status: 200, body: publicConfig, description: "The public configuration." },
    errors: [...anyCall, ...callerErrors],
  },
  getLocation: {
    tag: "About this service",
    method: "GET",
    path: "/get-location",
    summary: "Get the caller's country and currency by IP address",
    access: "anybody",
    response: { status: 200, body: location, description: "Country and currency." },
    errors: anyCall,
  },
  contact: {
    tag: "About this service",
    method: "POST",
    path: "/contact",
    summary: "Write to us",
    access: "anybody",
    body: contactForm,
    example: { body: { name: "Ann", email: "ann@example.com", message: "Hello" } },
    response: { status: 200, body: z.object({ detail: z.string() }), description: "The message was received." },
    errors: [...anyCall, ...bodyErrors],
  },
} as const satisfies Record<string, Endpoint>;
