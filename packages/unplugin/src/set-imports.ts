import { createHash } from "node:crypto";
import type { WebSet } from "@tintype/contract";
import type { OpenedSet } from "@tintype/toolkit";
import { createSetMaker, type Logger, type Options } from "./pictures.ts";
import { idOf, moduleOf, readId, readImport, type SetRequest } from "./web-set.ts";

/** The part of Rollup's plugin context that is used here; Vite has it too. */
export type ImportContext = {
  resolve(path: string, importer?: string, options?: { skipSelf: boolean }): Promise<{ id: string } | null>;
  addWatchFile(path: string): void;
  emitFile(file: { type: "asset"; name: string; source: Uint8Array }): string;
};
/** Returns the JavaScript expression for an emitted file's URL. */
export type AddressOf = (reference: string) => string;

/** Vite substitutes the URL, which differs between the browser and server-side rendering. */
export const viteAddress: AddressOf = (reference) => `"__VITE_ASSET__${reference}__"`;

export const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export type SetImports = {
  /** The module of an imported set; its picture is resolved by the bundler itself, aliases included. */
  resolve(context: ImportContext, id: string, importer: string | undefined): Promise<string | undefined>;
  /** The source of a set's module, whose files are emitted; undefined for any other id. */
  load(context: ImportContext, id: string, addressOf: AddressOf): Promise<string | undefined>;
  make(request: SetRequest): Promise<OpenedSet>;
  /** From now on a picture stands in for its set: in a development server no page waits for processing. */
  develop(): void;
  isDevelopment(): boolean;
  /** Whether `load` has emitted these bytes: they are compressed already. */
  isOfSet(bytes: Uint8Array): boolean;
  hasSets(): boolean;
};

/** The imports of web sets in a build. */
export function createSetImports(options: Options, logger: Logger): SetImports {
  const sets = createSetMaker(options, logger);
  const emitted = new Set<string>();
  let isDevelopment = false;
  return {
    make: sets.make,
    develop() {
      isDevelopment = true;
    },
    isDevelopment: () => isDevelopment,
    isOfSet: (bytes) => emitted.has(digest(bytes)),
    hasSets: () => emitted.size > 0,
    async resolve(context, id, importer) {
      const request = readImport(id);
      if (!request) return undefined;
      const found = await context.resolve(request.path, importer, { skipSelf: true });
      return idOf({ ...request, path: found?.id.replace(/[?].*$/s, "") ?? request.path });
    },
    async load(context, id, addressOf) {
      const request = readId(id);
      if (!request) return undefined;
      context.addWatchFile(request.path);
      if (isDevelopment) {
        const { sizes = "100vw", alt = "" } = { ...options.webSet, ...request.options };
        return developedSet(request.path, { ...(await sets.inspect(request.path)), sizes, alt });
      }
      const { set, files } = await sets.make(request);
      const addresses = set.files.map(({ name }) => {
        const source = files.find((file) => file.name === name)?.bytes ?? new Uint8Array();
        emitted.add(digest(source));
        return addressOf(context.emitFile({ type: "asset", name, source }));
      });
      return moduleOf(set, addresses);
    },
  };
}

function developedSet(path: string, facts: Pick<WebSet, "width" | "height" | "sizes" | "alt">): string {
  const file = { name: "picture", type: "", width: facts.width, height: facts.height, bytes: 0 };
  const set = { ...facts, placeholder: "", hasTransparency: true, files: [file] };
  // Without `?url`, Vite does not recognize HEIC or TIFF, and Astro returns an object.
  return `import picture from ${JSON.stringify(`${path}?url`)};\n${moduleOf(set, ["picture"])}`;
}
