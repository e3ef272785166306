import { text } from "@tintype/contract";
import { ApiProblem, sentenceOf } from "@tintype/contract/api";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import { randomId } from "../../../lib/random-id.ts";
import { countOf } from "../../../lib/size.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import { nameInAddress } from "./intake/addresses.ts";
import type { Dropped } from "./intake/dropped-entries.ts";
import { filesInFolder } from "./intake/files-in-folder.ts";
import { looksLikeImage } from "./intake/looks-like-image.ts";
import { type Header, readHeader } from "./intake/read-header.ts";
import type { Sample } from "./samples/samples.ts";
import type { StudioParts } from "./studio-parts.ts";

/** All that the server's look at a format needs. */
const headBytes = 256 * 1024;

/** Names told one by one before the rest is only counted. */
const namedRefusals = 3;

/** Adds pictures, and answers which. */
type Add<Given> = (given: Given) => Promise<readonly PictureId[]>;

export type Intake = {
  addFiles: Add<readonly File[]>;
  /** Of pictures that the server fetches. Each has its row at once, and its file when it is here. */
  addAddresses: Add<readonly string[]>;
  addDropped: Add<Dropped>;
  /** Lays one of our own pictures on the plate, with the tool and the settings that it shows best. */
  takeSample(sample: Sample): Promise<void>;
  /** Resolves when all that was added so far is in and judged: a submit that follows at once must not miss it. */
  whenAdded(): Promise<void>;
};

/** Pictures on their way in. */
export function createIntake({ store, api, notify }: StudioParts): Intake {
  const limitAsking = limitConcurrency(2);
  const limitFetching = limitConcurrency(3);
  let adding: Promise<unknown> = Promise.resolve();
  let asking: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = adding.then(work);
    adding = turn.catch(() => undefined); // the call that added it hears of it; the next turn comes all the same
    return turn;
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
    const asked = pictures.filter(({ format }) => !format).map((picture) => limitAsking(() => ask(picture)));
    asking = Promise.all([asking, ...asked]);
    return pictures.map(({ id }) => id);
  }

  /** Bytes that show no format of ours may be one to the server, which knows more; its word is the last one. */
  async function ask({ id, file, name }: Picture) {
    if (!file) return;
    const form = new FormData();
    form.append("file", file.slice(0, headBytes, file.type), name);
    try {
      await api.call("POST /convert/detect-source-format", { form });
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.code !== "not-an-image") return; // no word about the picture
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
    asking = Promise.all([asking, ...fetched]);
    return pictures.map(({ id }) => id);
  }

  /** The server brings it over as it is. That costs nothing, and shows the picture before any credit. */
  async function fetchOne({ id, name, address }: { id: PictureId; name: string; address: string }) {
    const form = new FormData();
    form.append("image_url", address);
    try {
      const blob = await (await api.open("POST /upload", { form })).blob();
      const file = new File([blob], name, { type: blob.type });
      const header = await readHeader(file).catch(() => undefined);
      const { sizeBytes, format, sides } = pictureOf(file, header);
      store.dispatch({ type: "picture-fetched", id, picture: { file, sizeBytes, format, sides } });
    } catch (problem) {
      store.dispatch({ type: "picture-judged", id, fault: `${name}: ${sentenceOf(problem)}` });
    }
  }

  return {
    addAddresses: (addresses) => inTurn(() => addAddresses(addresses)),
    addFiles: (files) => inTurn(() => add(files)),
    addDropped: ({ files, folders }) =>
      inTurn(async () => {
        const inFolders = await Promise.all(folders.map(filesInFolder));
        return add([...files, ...inFolders.flat()]);
      }),
    async whenAdded() {
      await adding;
      await asking;
    },
    async takeSample({ name, url, tool }) {
      try {
        const answer = await fetch(url);
        if (!answer.ok) throw new Error(`The sample ${name} answered ${answer.status}`);
        const blob = await answer.blob();
        store.dispatch({ type: "tool-chosen", tool });
        if (tool === "convert") store.dispatch({ type: "setting-changed", tool, patch: { target_format: "webp" } });
        if (tool === "compress") store.dispatch({ type: "setting-changed", tool, patch: { quality: "70" } });
        await inTurn(() => add([new File([blob], name, { type: blob.type })]));
      } catch (problem) {
        store.dispatch({ type: "obstacle-met", obstacle: { field: "pictures", sentence: text.somethingWrong } });
        reportError(problem);
      }
    },
  };
}

const pictureOf = (file: File, header: Header | undefined): Picture => ({
  id: randomId() as PictureId, // ids begin here
  name: file.name,
  sizeBytes: file.size,
  file,
  format: header?.format,
  fault: undefined,
  preview: { kind: "pending" },
  sides: header?.sides,
  outcome: { kind: "none" },
});

function refusalsOf(files: readonly File[]): string[] {
  const named = files
    .slice(0, namedRefusals)
    .map(({ name, size }) => (size === 0 ? `${name} is empty.` : `${name} is not an image we can process.`));
  const more = files.length - named.length;
  return more > 0 ? [...named, `${countOf(more, "more file")} skipped.`] : named;
}
