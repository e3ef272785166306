export {
  allocateLike,
  asWords,
  bytesOf,
  type Channels,
  depthOf,
  fullScale,
  hasAlpha,
  type IntegerSamples,
  type Raster,
  type RasterShape,
  type Rectangle,
  resized,
  type Samples,
  type Size,
  shapeOf,
} from "./raster.ts";
export { createBounds, emptyRectangle, isEmpty, unite, wholeOf, widen, within } from "./rectangle.ts";
export { emptyRaster, type RowReader, type RowWriter, rowsOf, storeRow, writeInto } from "./rows.ts";
