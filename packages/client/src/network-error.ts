import { networkError, type TintypeError } from "./error.ts";

/** Codes of Node.js, and words of Deno, for a certificate whose authority is unknown: a company's, or a self-signed one. */
const isUnknownAuthority =
  /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|UnknownIssuer|CaUsedAsEndEntity/;
const isCertificate = /CERT_|_CERT|ERR_TLS_|invalid peer certificate/;
const isRefused = /ECONNREFUSED|[Cc]onnection refused/;
const isUnknownHost = /ENOTFOUND|EAI_AGAIN|failed to lookup address/;

/**
 * The error of a call without a response, with the reason that Node.js or Deno gives. A wrong certificate does not become
 * right: it is not retried.
 */
export function explainNetworkError(server: string, cause: unknown): TintypeError {
  const reason = reasonOf(cause);
  return networkError(cause, { message: sentenceOf(server, reason), retryable: !isCertificate.test(reason) });
}

function sentenceOf(server: string, reason: string): string {
  if (isUnknownAuthority.test(reason))
    return `${server} has a certificate of an unknown authority (${reason}). If it is your own, give Node.js the authority's certificate, as a PEM file, in NODE_EXTRA_CA_CERTS.`;
  if (isCertificate.test(reason)) return `${server} has a certificate that is not valid (${reason}).`;
  if (isRefused.test(reason)) return `${server} refuses the connection (${reason}). Nothing listens at that address.`;
  if (isUnknownHost.test(reason)) return `${server} has no known address (${reason}).`;
  return `${server} cannot be reached, or the connection broke${reason ? ` (${reason})` : ""}.`;
}

/** Node.js has code and text in the cause, Deno the text. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return "";
  const { cause } = problem;
  if (!(cause instanceof Error)) return problem.message;
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : []; // one error for each address of a name
  const { message } = first instanceof Error ? first : cause;
  const code = "code" in cause ? String(cause.code) : "";
  return message.includes(code) ? message : `${code}: ${message}`;
}
