import { createServer } from "node:http";
import Provider from "oidc-provider";

/** A fake of Google: a real OpenID provider that signs in anyone under the name they type. */
export async function startGoogle({ port, origin }: { port: number; origin: string }): Promise<void> {
  const provider = new Provider(`http://localhost:${port}`, {
    clients: [
      {
        client_id: "journeys",
        client_secret: "a secret for tests",
        redirect_uris: [`${origin}/idp/callback/google`],
      },
    ],
    scopes: ["openid", "email", "profile"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["journeys"] },
    findAccount: async (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@gmail.example`, email_verified: true, name: "Gail Google" }),
    }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, resolve));
}
