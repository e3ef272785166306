import { retry } from "@tintype/client/core";
import { text } from "@tintype/contract";
import { ApiProblem, ConnectionLost, sentenceOf } from "@tintype/contract/api";
import { waitForRetry } from "../../../lib/api/wait-for-retry.ts";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import { randomId } from "../../../lib/random-id.ts";
import { countOf } from "../../../lib/size.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import { detectFormat } from "./detect-format.ts";
import { blobOf } from "./fetch-result.ts";
import { type Dropped, nameInAddress } from "./intake/data-transfer.ts";
import { filesInFolder } from "./intake/files-in-folder.ts";
import { type Header, looksLikeImage, readHeader } from "./intake/read-header.ts";
import type { Sample } from "./samples/samples.ts";
import type { StudioParts } from "./studio-parts.ts";

/** Refused files listed by name; the rest are only counted. */
const maxNamedRefusals = 3;

/** Retries of a link while the server cannot be reached. Time offline does not count. */
const maxRetries = 5;

/** Adds pictures and resolves to their ids. */
type Add<Given> = (given: Given) => Promise<readonly PictureId[]>;

export type Intake = {
  addFiles: Add<readonly File[]>;
  /** URLs of pictures that the server fetches. Each picture is listed at once and gets its file when the download ends. */
  addAddresses: Add<readonly string[]>;
  addDropped: Add<Dropped>;
  /** Adds one of our samples, with the tool and settings that it demonstrates. */
  takeSample(sample: Sample): Promise<void>;
  /** Resolves once everything added so far is in the state and checked, so that an immediate submit misses nothing. */
  whenAdded(): Promise<void>;
};

/** Reads, checks and adds the pictures that a user brings. */
export function createIntake({ store, api, notify }: StudioParts): Intake {
  const limitChecks = limitConcurrency(2);
  const limitFetching = limitConcurrency(3);
  let adding: Promise<unknown> = Promise.resolve();
  let checking: Promise<unknown> = Promise.resolve();
  const enqueue = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = adding.then(work);
    adding = result.catch(() => undefined); // the caller gets the error; the queue goes on
    return result;
  };

  async function add(files: readonly File[]): Promise<readonly PictureId[]> {
    const checked = await Promise.all(
      files.map(async (file) => {
        const isTaken = await looksLikeImage(file);
        return { file, isTaken, header: isTaken ? await readHeader(file).catch(() => undefined) : undefined };
      }),
    );
    const pictures = checked.flatMap(({ file, isTaken, header }) => (isTaken ? [pictureOf(file, header)] : []));
    const refusals = refusalsOf(checked.flatMap(({ file, isTaken }) => (isTaken ? [] : [file])));
    if (pictures.length === 0 && refusals.length === 0) return [];
    store.dispatch({ type: "pictures-added", pictures, refusals });
    const checks = pictures.filter(({ format }) => !format).map((picture) => limitChecks(() => checkFormat(picture)));
    checking = Promise.all([checking, ...checks]);
    return pictures.map(({ id }) => id);
  }

  /** The server recognises more formats than `readHeader`, so it has the last word on a file without a known signature. */
  async function checkFormat({ id, file, name }: Picture) {
    if (!file) return;
    try {
      await detectFormat(api, file, name);
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.code !== "not-an-image") return; // says nothing about the picture
      store.dispatch({ type: "picture-judged", id, fault: `${name}: ${problem.detail}` });
    }
  }
  async function addAddresses(addresses: readonly string[]): Promise<readonly PictureId[]> {
    const config = await api.call("GET /config", {}).catch(() => undefined);
    if (!config?.url_input) {
      notify.error(
        config
          ? "Images cannot be added by link here. Please save the image and add the file."
          : "The server cannot be reached. Please try again when you are online.",
      );
      return [];
    }
    const pictures = addresses.map((address) => ({
      ...pictureOf(new File([], nameInAddress(address)), undefined),
      file: undefined,
      address,
    }));
    store.dispatch({ type: "pictures-added", pictures, refusals: [] });
    const fetched = pictures.map((picture) => limitFetching(() => fetchOne(picture)));
    checking = Promise.all([checking, ...fetched]);
    return pictures.map(({ id }) => id);
  }

  /** The server fetches the file unchanged and free of charge, so the user sees the picture before spending a credit. */
  async function fetchOne({ id, name, address }: { id: PictureId; name: string; address: string }) {
    const form = new FormData();
    form.append("image_url", address);
    const wait = waitForRetry({ retries: maxRetries, signal: new AbortController().signal });
    try {
      const blob = await retry(
        async () => blobOf(await api.open("POST /upload", { form })),
        async (problem, failures) => {
          // Every other problem is about the link.
          if (!(problem instanceof ConnectionLost)) throw problem;
          await wait(problem, failures);
        },
      );
      const file = new File([blob], name, { type: blob.type });
      const header = await readHeader(file).catch(() => undefined);
      const { sizeBytes, format, isAnimated, sides } = pictureOf(file, header);
      store.dispatch({ type: "picture-fetched", id, picture: { file, sizeBytes, format, isAnimated, sides } });
    } catch (problem) {
      store.dispatch({ type: "picture-judged", id, fault: `${name}: ${sentenceOf(problem)}` });
    }
  }

  return {
    addAddresses: (addresses) => enqueue(() => addAddresses(addresses)),
    addFiles: (files) => enqueue(() => add(files)),
    addDropped: ({ files, folders }) =>
      enqueue(async () => {
        const inFolders = await Promise.all(folders.map(filesInFolder));
        return add([...files, ...inFolders.flat()]);
      }),
    async whenAdded() {
      await adding;
      await checking;
    },
    async takeSample({ name, url, tool }) {
      try {
        const response = await fetch(url);
        if (!response.ok) throw new Error(`The sample ${name} answered ${response.status}`);
        const blob = await response.blob();
        store.dispatch({ type: "tool-chosen", tool });
        if (tool === "convert") store.dispatch({ type: "setting-changed", tool, patch: { target_format: "webp" } });
        if (tool === "compress") store.dispatch({ type: "setting-changed", tool, patch: { quality: "70" } });
        await enqueue(() => add([new File([blob], name, { type: blob.type })]));
      } catch (problem) {
        store.dispatch({ type: "obstacle-met", obstacle: { field: "pictures", sentence: text.somethingWrong } });
        reportError(problem);
      }
    },
  };
}

const pictureOf = (file: File, header: Header | undefined): Picture => ({
  id: randomId() as PictureId, // the only other place that creates ids is find-earlier-batch.ts
  name: file.name,
  sizeBytes: file.size,
  file,
  format: header?.format,
  isAnimated: header?.isAnimated,
  fault: undefined,
  preview: { kind: "pending" },
  sides: header?.sides,
  outcome: { kind: "none" },
});

function refusalsOf(files: readonly File[]): string[] {
  const sentences = files
    .slice(0, maxNamedRefusals)
    .map(({ name, size }) => (size === 0 ? `${name} is empty.` : `${name} is not an image we can process.`));
  const more = files.length - sentences.length;
  return more > 0 ? [...sentences, `${countOf(more, "more file")} skipped.`] : sentences;
}
