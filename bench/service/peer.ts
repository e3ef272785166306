// ipx over a folder of pictures, on a free port: peer.ts FOLDER -> its address.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createIPX, createIPXNodeServer, ipxFSStorage } from "ipx";

const [dir = ""] = process.argv.slice(2);
const server = createServer(createIPXNodeServer(createIPX({ storage: ipxFSStorage({ dir }), maxAge: 0 })));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo; // a TCP server has one
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
