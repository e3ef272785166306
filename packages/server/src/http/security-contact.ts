import type { FastifyInstance } from "fastify";

/** RFC 9116 §2.5.5 requires an expiry, less than a year ahead. */
const validMs = 180 * 86_400_000;

type SecurityContact = {
  /** An e-mail or https address. Without it there is no file. */
  contact: string | undefined;
  origin: string;
  clock: { now(): Date };
};

/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. */
export function mountSecurityContact(app: FastifyInstance, { contact, origin, clock }: SecurityContact): void {
  if (!contact) return;
  const address = contact.startsWith("https:") ? contact : `mailto:${contact}`;
  app.get("/.well-known/security.txt", async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + validMs);
    expires.setUTCHours(0, 0, 0, 0);
    return reply
      .header("cache-control", "public, max-age=86400")
      .type("text/plain; charset=utf-8")
      .send(
        [
          `Contact: ${address}`,
          `Expires: ${expires.toISOString()}`,
          "Preferred-Languages: en",
          `Canonical: ${origin}/.well-known/security.txt`,
          "",
        ].join("\n"),
      );
  });
}
