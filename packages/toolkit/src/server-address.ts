import { DomainError } from "@tintype/contract";

const refuse = (detail: string): never => {
  throw new DomainError("invalid-request", { detail, field: "server" });
};

/**
 * The origin of a server, such as `https://tintype.example`. Plain http to another machine needs a person who named it: then
 * `checkServer` decides where it leads. Attack: a repository sets an environment variable, and the first command in it sends the
 * key unencrypted.
 * @throws invalid-request for an invalid URL, and for http to another machine that was not named
 */
export function readServerAddress(text: string, { isNamed }: { isNamed: boolean }): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:") return url.origin;
  if (url?.protocol !== "http:")
    return refuse(`The server must be a URL such as https://tintype.example, not ${JSON.stringify(text)}.`);
  if (isNamed || isLoopback(url.hostname)) return url.origin;
  return refuse(
    `${url.origin} would receive your key and images without encryption. Use https://. A server in your own network can be named with --server.`,
  );
}

/** Hosts that never leave this machine: RFC 6761, 6.3, and RFC 1122, 3.2.1.3. */
const isLoopback = (hostname: string): boolean =>
  hostname === "[::1]" || /^127[.]\d+[.]\d+[.]\d+$/.test(hostname) || /(?:^|[.])localhost$/.test(hostname);
