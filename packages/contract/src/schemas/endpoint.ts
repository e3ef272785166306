import type { z } from "zod";
import type { ErrorCode } from "../facts/error.ts";
import type { TaskName } from "../facts/operations/index.ts";
import type { Scope } from "../facts/scope.ts";

/** The callers allowed: anybody; a guest or a person (a wrong token is refused, none is a guest); persons only. */
export type Access = "anybody" | "guest-or-person" | "person";

/** The scope that a call needs: the row's, else `account` for what is a person's alone, and `process` for the rest. */
export const scopeOf = ({ access, scope }: Pick<Endpoint, "access" | "scope">): Scope =>
  scope ?? (access === "person" ? "account" : "process");

/** Sections of the reference and of generated clients. */
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

/** `picture`: the bytes of a picture, or a ZIP. `events`: server-sent events. */
type Answer = {
  status: 200 | 201 | 202 | 204;
  description: string;
  kind?: "picture" | "events";
  /** A file of this media type. */
  file?: "text/csv" | "application/pdf";
  /** A JSON answer. */
  body?: z.ZodType;
  /** Instead of a picture the answer may be a JSON sentence: nothing had to be done. */
  message?: true;
};

export type Endpoint = {
  tag: (typeof tags)[number];
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api`, without the trailing slash; both forms are answered. `{name}` is a parameter. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /** See `scopeOf`. */
  scope?: Scope;
  /**
   * Whether a person has to have signed in within the last half hour: for what costs money, or cannot be undone. Only the built-in
   * identity provider knows when that was; with another one the call is answered.
   */
  needsFreshSignIn?: true;
  query?: z.ZodObject;
  /** A JSON body. */
  body?: z.ZodType;
  /** A multipart form: its text fields, and the field the pictures come in; `none` where the picture is kept already. */
  form?: { task?: TaskName; options: z.ZodType; files: "files" | "file" | "none" };
  /** An example of a first call; a test makes each of them. */
  example?: { query?: Record<string, string>; fields?: Record<string, string>; body?: unknown };
  answer: Answer;
  errors: readonly ErrorCode[];
};
