import type { Blocks } from "../metadata/blocks.ts";
import type { Fields } from "../metadata/select.ts";
import type { Encoder } from "./encoder.ts";
import type { InputFile } from "./input-file.ts";
import type { Parts } from "./parts.ts";
import type { FileOpenOptions, Source } from "./source.ts";
import type { Stripped } from "./stripped.ts";

/** What the engine knows about one format. A folder has it in the file of its own name, and `registry.ts` lists all. */
export type FormatModule = {
  /** `page`: of a document, from 1. @throws as `openSource` */
  open(opening: FileOpenOptions & { page?: number | undefined }): Promise<Source>;
  /** As `stripMetadata`. `stripEmbedded` strips a picture of any format inside the file. */
  strip(bytes: Uint8Array, stripEmbedded: (bytes: Uint8Array) => Uint8Array): Stripped;
  /** Absent: files have no metadata. @throws RangeError if it cannot be parsed */
  readBlocks?(file: InputFile): Blocks | Promise<Blocks>;
  /** The file with the fields; undefined if it cannot hold them. @throws RangeError for a layout that it does not know */
  embed?(bytes: Uint8Array, fields: Fields): Uint8Array | undefined;
  /** What a file contains besides its picture, by its structure. @throws RangeError if it cannot be parsed */
  readParts?(file: InputFile): Promise<Parts>;
  /** Absent: the format is only read. */
  encode?: Encoder;
  /**
   * The share of the bytes that a lossy encoding by compress must save, and the larger one at a coarse quality: see
   * `minGain`.
   */
  minGain?: { usual: number; coarse?: number };
  /** A lower quality may take more bytes of a small picture: see `orderedEncoder`. */
  needsOrder?: true;
};

export type WrittenFormat = FormatModule & { encode: Encoder };
