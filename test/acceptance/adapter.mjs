// For checks from outside (ACCEPT_ADAPTER): moves a running service's clock, and makes a service trust an issuer.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The server reads the file again each second. */
const takesEffectMs = 1500;

export async function advance({ server, ms }) {
  const path = join(server.data, "clock-offset-ms");
  const before = Number(await readFile(path, "utf8").catch(() => "0"));
  await writeFile(path, String(before + ms));
  await new Promise((done) => setTimeout(done, takesEffectMs));
}

export const issuerEnv = ({ issuer, audience, jwksUrl }) => ({
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: audience,
  OIDC_JWKS_URL: jwksUrl,
});
