import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { z } from "zod";

/** A person's sessions by id. better-auth's own calls identify them by the tokens that open them. */
export function sessionList() {
  return {
    id: "session-list",
    endpoints: {
      sessions: createAuthEndpoint("/sessions", { method: "GET", use: [sessionMiddleware] }, async (ctx) => {
        const { session, user } = ctx.context.session;
        const sessions = await ctx.context.internalAdapter.listSessions(user.id, { onlyActiveSessions: true });
        return ctx.json(
          sessions.map(({ id, userAgent, createdAt, updatedAt }) => ({
            id,
            userAgent,
            createdAt,
            updatedAt,
            isCurrent: id === session.id,
          })),
        );
      }),
      endSession: createAuthEndpoint(
        "/end-session",
        { method: "POST", use: [sessionMiddleware], body: z.object({ id: z.string() }) },
        async (ctx) => {
          const { user } = ctx.context.session;
          const sessions = await ctx.context.internalAdapter.listSessions(user.id);
          const found = sessions.find(({ id }) => id === ctx.body.id);
          // Respond as if another account's session did not exist.
          if (!found)
            throw new APIError("NOT_FOUND", { code: "SESSION_NOT_FOUND", message: "This session has already ended." });
          await ctx.context.internalAdapter.deleteSession(found.token);
          return ctx.json({ status: true });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
