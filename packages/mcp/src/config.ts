import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { faultOf, readServerAddress } from "@tintype/toolkit";

export type HttpConfig = {
  host: string;
  port: number;
  /** The bearer token that callers send. */
  token: string;
  /** True if the token was generated for this run and must be shown. */
  isTokenNew: boolean;
  /** Host names that requests may use, besides loopback's. */
  hosts: readonly string[];
};

export type McpConfig = {
  /** The folders that tools may read and write, as given. */
  folders: readonly string[];
  /** The server that processes pictures; undefined: this computer does. */
  server: { origin: string; key: string } | undefined;
  /** Maximum credits for all calls of a session. */
  maxCredits: number;
  /** Undefined: stdio. */
  http: HttpConfig | undefined;
};

/** An error in the command line, with a message for the user. */
export class UsageFault extends Error {
  override readonly name = "UsageFault";
}

export const usage = `tintype-mcp [options] <folder>...

An MCP server for pictures in the folders that you name, and nowhere else.

  --server <address>    work on a Tintype server, with the key in TINTYPE_KEY
                        (default: on this computer; TINTYPE_SERVER names one too)
  --max-credits <n>     credits that the calls of one session may take together (default: 50)
  --http <port>         serve streamable HTTP at /mcp (default: stdio)
  --host <address>      listen there (default: 127.0.0.1)
  --allow-host <name>   a further name under which callers reach it; may be given several times
  --help                print this

The bearer token for HTTP is TINTYPE_MCP_TOKEN; without it one is made and printed.`;

const defaultCredits = 50;
const minTokenLength = 16;

/** @throws UsageFault */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): McpConfig | "help" {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  if (positionals.length === 0) throw new UsageFault("Please name at least one folder that may be used.");
  const server = values.server ?? environment["TINTYPE_SERVER"];
  const isNamed = values.server !== undefined;
  return {
    folders: positionals,
    server: server ? { origin: originOf(server, { isNamed }), key: keyFrom(environment) } : undefined,
    maxCredits: wholeNumber(values["max-credits"], "--max-credits", { fallback: defaultCredits, max: 1_000_000 }),
    http: values.http === undefined ? undefined : httpFrom(values, environment),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: { type: "string" },
        "max-credits": { type: "string" },
        http: { type: "string" },
        host: { type: "string" },
        "allow-host": { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (problem) {
    throw new UsageFault(problem instanceof Error ? problem.message : String(problem));
  }
}

function originOf(server: string, options: { isNamed: boolean }): string {
  try {
    return readServerAddress(server, options);
  } catch (problem) {
    throw new UsageFault(faultOf(problem).reason);
  }
}

function keyFrom(environment: Readonly<Record<string, string | undefined>>): string {
  const key = environment["TINTYPE_KEY"];
  if (!key) throw new UsageFault("A server needs a key. Please put it into TINTYPE_KEY.");
  return key;
}

function httpFrom(
  values: { http?: string; host?: string; "allow-host"?: string[] },
  environment: Readonly<Record<string, string | undefined>>,
): HttpConfig {
  const given = environment["TINTYPE_MCP_TOKEN"];
  if (given !== undefined && given.length < minTokenLength)
    throw new UsageFault(`TINTYPE_MCP_TOKEN needs at least ${minTokenLength} characters.`);
  return {
    host: values.host ?? "127.0.0.1",
    port: wholeNumber(values.http, "--http", { fallback: 0, max: 65_535 }),
    token: given ?? randomBytes(24).toString("base64url"),
    isTokenNew: given === undefined,
    hosts: values["allow-host"] ?? [],
  };
}

function wholeNumber(
  text: string | undefined,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  if (text === undefined) return fallback;
  if (/^\d{1,7}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageFault(`${name} must be a whole number up to ${max}.`);
}
