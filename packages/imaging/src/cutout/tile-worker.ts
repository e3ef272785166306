// A worker thread of `createTileThreads`.
import { parentPort } from "node:worker_threads";
import { cutTile, nextTile, type TileRow } from "./cut-tile.ts";
import { createScratch } from "./planes.ts";

const scratch = createScratch();

parentPort?.on("message", (tileRow: TileRow) => {
  for (let tile = nextTile(tileRow); tile; tile = nextTile(tileRow)) cutTile(tile, { ...tileRow, scratch });
  parentPort?.postMessage("done");
});
