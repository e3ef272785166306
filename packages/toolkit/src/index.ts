export { readStep } from "@tintype/contract/schemas";
export * from "./backend.ts";
export { type Cache, openCache } from "./cache.ts";
export { type FindOptions, type FoundPicture, findPictures, hasPictureName, splitGlob } from "./find-pictures.ts";
export { cacheFolder, type Folders, personalFolders, usableFolder } from "./folders.ts";
export { type Networks, needsNetwork, networkOperations, openNetworks } from "./offline/networks.ts";
export { openOffline, readPictureDetails, readPictureFacts } from "./offline/offline.ts";
export type { Picture, ProcessResult } from "./process-result.ts";
export { checkFolder, type Destination, FileFault, publish, targetOf } from "./publish.ts";
export { type QuotedPictures, quotePictures } from "./quote-pictures.ts";
export { isWithin, realPlace } from "./real-place.ts";
export {
  createRunner,
  type FileReport,
  faultOf,
  isEarlierResult,
  plain,
  type Runner,
  type RunOptions,
} from "./run-files.ts";
export { readServerAddress } from "./server-address.ts";
export { type Config, readCount, readSettings, readSuffix, type Settings } from "./settings.ts";
export { makesSet, type OpenedSet, openSet } from "./web-set.ts";
export { codeOf, writeWhole } from "./whole-file.ts";
export { isOperation, readSteps, recipeNamed, recipeWork, shippedRecipes } from "./work.ts";
export { createIsKnown, createWorkOn, type WorkContext } from "./work-on.ts";
