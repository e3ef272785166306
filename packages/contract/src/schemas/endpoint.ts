import type { z } from "zod";
import type { ErrorCode } from "../facts/error.ts";
import type { TaskName } from "../facts/operations/index.ts";
import type { Scope } from "../facts/scope.ts";

/**
 * Who may call. `guest-or-person`: no token means a guest, and an invalid token is rejected. `visitor-or-person`: the same, also where
 * guests cannot use the service. `person`: signed-in people only.
 */
export type Access = "anybody" | "visitor-or-person" | "guest-or-person" | "person";

/** The scope that a call needs: the row's own, else `account` for persons-only calls and `process` for all others. */
export const scopeOf = ({ access, scope }: Pick<Endpoint, "access" | "scope">): Scope =>
  scope ?? (access === "person" ? "account" : "process");

/** Sections of the API reference and of generated clients. */
export const tags = [
  "The tools",
  "Recipes",
  "Jobs",
  "Credits and the account",
  "API keys",
  "Webhooks",
  "Subscriptions",
  "About this service",
] as const;

/** `picture`: a picture or a ZIP. `events`: server-sent events. */
type EndpointResponse = {
  status: 200 | 201 | 202 | 204;
  description: string;
  kind?: "picture" | "events";
  /** A file of this media type. */
  file?: "text/csv" | "application/pdf";
  /** The schema of a JSON response. */
  body?: z.ZodType;
  /** The response may be a JSON message instead of a picture: nothing had to be done. */
  message?: true;
  /** HEAD has the headers of a GET, and a GET with `Range` a part of a single picture. Neither ends its delivery. */
  ranges?: true;
};

export type Endpoint = {
  tag: (typeof tags)[number];
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to `/api`, without a trailing slash. The server accepts both forms. `{name}` is a parameter. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /** See `scopeOf`. */
  scope?: Scope;
  /**
   * Requires a sign-in within the last half hour, for calls that cost money or cannot be undone. Only the built-in identity provider
   * knows the time of the sign-in. With another one there is no such check.
   */
  needsFreshSignIn?: true;
  query?: z.ZodObject;
  /** Set for calls that exist only where plans are sold. */
  onlyIn?: "service";
  /** A JSON body. */
  body?: z.ZodType;
  /** A multipart form: its text fields, and the field of the pictures. `none` if the server already has the picture. */
  form?: { task?: TaskName; options: z.ZodType; files: "files" | "file" | "none" };
  /** An example of a first call, run by a test. */
  example?: { query?: Record<string, string>; fields?: Record<string, string>; body?: unknown };
  response: EndpointResponse;
  errors: readonly ErrorCode[];
};
