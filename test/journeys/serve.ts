import { startGoogle } from "./google.ts";

// The server of the journeys. Google comes first: the server asks for its addresses as it starts.
const { PORT: port, TINTYPE_JOURNEYS_GOOGLE_PORT: googlePort } = process.env;
await startGoogle({ port: Number(googlePort), origin: `http://localhost:${port}` });
await import("../../packages/server/src/main.ts");
