import { createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Account = { localId: string; email: string; password: string; displayName?: string };
type Fields = Partial<Record<"email" | "password" | "displayName" | "idToken" | "refresh_token", string>>;

export type StandIn = { url: string; asked: string[]; close(): Promise<void> };

/**
 * A fake of Firebase Authentication, similar to its emulator. It implements the REST calls that the SDK makes, by their
 * published names, with tokens signed by its own key (`/jwks`).
 */
export async function startFirebase({ projectId }: { projectId: string }): Promise<StandIn> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const accounts: Account[] = [];
  const asked: string[] = [];

  function tokenOf({ localId, email, displayName }: Account): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: `https://securetoken.google.com/${projectId}`,
      aud: projectId,
      sub: localId,
      user_id: localId,
      iat: now,
      auth_time: now,
      exp: now + 3600,
      jti: randomUUID(),
      email,
      email_verified: false,
      name: displayName,
      firebase: { sign_in_provider: "password" },
    };
    const content = [{ alg: "RS256", kid: "stand-in", typ: "JWT" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${content}.${createSign("RSA-SHA256").update(content).sign(privateKey, "base64url")}`;
  }
  const session = (account: Account) => ({
    localId: account.localId,
    email: account.email,
    displayName: account.displayName,
    idToken: tokenOf(account),
    refreshToken: account.localId,
    expiresIn: "3600",
  });
  const ofToken = ({ idToken = "" }: Fields) => {
    const { sub } = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
    return accounts.find(({ localId }) => localId === sub);
  };

  /** The response, or the error code. */
  function answer(call: string, fields: Fields): object | string {
    const own = fields.idToken ? ofToken(fields) : undefined;
    switch (call) {
      case "signUp": {
        const { email = "", password = "" } = fields;
        if (accounts.some((one) => one.email === email)) return "EMAIL_EXISTS";
        if (password.length < 6) return "WEAK_PASSWORD : Password should be at least 6 characters";
        const account: Account = { localId: randomUUID(), email, password };
        accounts.push(account);
        return session(account);
      }
      case "signInWithPassword": {
        const found = accounts.find(({ email, password }) => email === fields.email && password === fields.password);
        return found ? session(found) : "INVALID_LOGIN_CREDENTIALS";
      }
      case "lookup":
        if (!own) return "USER_NOT_FOUND";
        return { users: [{ ...own, providerUserInfo: [{ providerId: "password", email: own.email }] }] };
      case "update": {
        if (!own) return "USER_NOT_FOUND";
        const { displayName, password } = fields;
        Object.assign(own, displayName && { displayName }, password && { password });
        return session(own);
      }
      // Firebase sends its mails itself.
      case "sendOobCode":
        return { email: own?.email ?? fields.email };
      case "delete":
        accounts.splice(0, accounts.length, ...accounts.filter((one) => one !== own));
        return {};
      case "token": {
        const found = accounts.find(({ localId }) => localId === fields.refresh_token);
        if (!found) return "TOKEN_EXPIRED";
        const idToken = tokenOf(found);
        return { id_token: idToken, access_token: idToken, refresh_token: found.localId, expires_in: "3600" };
      }
      default:
        return "OPERATION_NOT_ALLOWED";
    }
  }

  const server = createServer(async (req, res) => {
    res.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
    res.setHeader("content-type", "application/json");
    if (req.method === "OPTIONS") return res.end();
    const { pathname } = new URL(req.url ?? "/", "http://stand-in");
    if (pathname === "/jwks") {
      const jwk = { ...publicKey.export({ format: "jwk" }), kid: "stand-in", alg: "RS256", use: "sig" };
      return res.end(JSON.stringify({ keys: [jwk] }));
    }
    const call = /\/v1\/(?:accounts:)?(\w+)$/.exec(pathname)?.[1] ?? "";
    asked.push(call);
    const said = answer(call, await fieldsOf(req));
    if (typeof said === "string") res.statusCode = 400;
    return res.end(JSON.stringify(typeof said === "string" ? { error: { code: 400, message: said } } : said));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function fieldsOf(req: IncomingMessage): Promise<Fields> {
  const body = Buffer.concat(await req.toArray()).toString();
  return body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}
