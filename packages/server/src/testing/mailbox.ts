import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export type Letter = { to: string[]; subject: string; text: string; raw: string };
export type Mailbox = {
  /** For `SMTP_URL` and `MAIL_FROM`. */
  environment: { SMTP_URL: string; MAIL_FROM: string };
  letters: Letter[];
  /** Mails to one address. */
  to(address: string): Letter[];
  close(): Promise<void>;
};

/** A real SMTP server on loopback that accepts and keeps everything. */
export async function startMailbox(): Promise<Mailbox> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts).toString("latin1");
        const to = envelope.rcptTo.map(({ address }) => address);
        letters.push({ to, subject: /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? "", text: plainPart(raw), raw });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo; // a TCP server has one
  return {
    environment: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Tintype <hello@tintype.example>" },
    letters,
    to: (address) => letters.filter((letter) => letter.to.includes(address)),
    close: () => new Promise((done) => server.close(done)),
  };
}

/** The text/plain part, decoded. */
function plainPart(raw: string): string {
  const [head = "", ...rest] = (raw.split("Content-Type: text/plain")[1] ?? "").split("\r\n\r\n");
  const body = rest.join("\r\n\r\n").split("\r\n--")[0] ?? "";
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return Buffer.from(body, "latin1").toString("utf8");
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
