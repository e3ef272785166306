// A thread that cuts tiles beside the one that asked: see `createTileThreads`.
import { parentPort } from "node:worker_threads";
import { cutTile } from "./cut-tile.ts";
import { createScratch } from "./scratch.ts";
import { type Band, nextTile } from "./tile-row.ts";

const scratch = createScratch();

parentPort?.on("message", (band: Band) => {
  for (let tile = nextTile(band); tile; tile = nextTile(band)) cutTile(tile, { ...band, scratch });
  parentPort?.postMessage("done");
});
