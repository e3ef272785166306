import { startGoogle } from "./google.ts";

// The server of the journeys. The fake Google starts first, because the server fetches its endpoints at start-up.
const { PORT: port, TINTYPE_JOURNEYS_GOOGLE_PORT: googlePort } = process.env;
await startGoogle({ port: Number(googlePort), origin: `http://localhost:${port}` });
await import("../../packages/server/src/main.ts");
