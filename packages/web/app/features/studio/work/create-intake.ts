import { errors } from "@tintype/contract";
import { ApiProblem, sentenceOf } from "@tintype/contract/api";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import { randomId } from "../../../lib/random-id.ts";
import { countOf } from "../../../lib/size.ts";
import { nameInAddress } from "../intake/addresses.ts";
import type { Dropped } from "../intake/dropped-entries.ts";
import { filesInFolder } from "../intake/files-in-folder.ts";
import { looksLikeImage } from "../intake/looks-like-image.ts";
import { type Header, readHeader } from "../intake/read-header.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import type { StudioParts } from "../studio-parts.ts";

/** All that the server's look at a format needs. */
const headBytes = 256 * 1024;

/** Names told one by one before the rest is only counted. */
const namedRefusals = 3;

export type Intake = {
  addFiles(files: readonly File[]): Promise<void>;
  /** Of pictures that the server fetches. Each has its row at once, and its file when it is here. */
  addAddresses(addresses: readonly string[]): Promise<void>;
  addDropped(dropped: Dropped): Promise<void>;
  /** Finished results become the pictures for the next tool. */
  adoptResults(): void;
  /** Resolves when all that was added so far is in and judged: a submit that follows at once must not miss it. */
  whenAdded(): Promise<void>;
};

/** Pictures on their way in. */
export function createIntake({ store, api, notify }: StudioParts): Intake {
  const limitAsking = limitConcurrency(2);
  const limitFetching = limitConcurrency(3);
  let adding: Promise<unknown> = Promise.resolve();
  let asking: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = adding.then(work);
    adding = turn.catch(() => undefined); // the call that added it hears of it; the next turn comes all the same
    return turn;
  };

  async function add(files: readonly File[]) {
    const checked = await Promise.all(
      files.map(async (file) => {
        const isTaken = await looksLikeImage(file);
        return { file, isTaken, header: isTaken ? await readHeader(file).catch(() => undefined) : undefined };
      }),
    );
    const pictures = checked.flatMap(({ file, isTaken, header }) => (isTaken ? [pictureOf(file, header)] : []));
    const refusals = refusalsOf(checked.flatMap(({ file, isTaken }) => (isTaken ? [] : [file])));
    if (pictures.length === 0 && refusals.length === 0) return;
    store.dispatch({ type: "pictures-added", pictures, refusals });
    const asked = pictures.filter(({ format }) => !format).map((picture) => limitAsking(() => ask(picture)));
    asking = Promise.all([asking, ...asked]);
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
      const { detail } = errors["not-an-image"];
      store.dispatch({ type: "picture-judged", id, fault: `${name}: ${detail}` });
    }
  }
  async function addAddresses(addresses: readonly string[]) {
    const config = await api.call("GET /config", {}).catch(() => undefined);
    if (!config?.url_input)
      return notify.error(
        config
          ? "This server takes no addresses. Please save the picture, and add the file."
          : "The server cannot be reached. Please try again with the network.",
      );
    const pictures = addresses.map((address) => ({
      ...pictureOf(new File([], nameInAddress(address)), undefined),
      ...{ file: undefined, address },
    }));
    store.dispatch({ type: "pictures-added", pictures, refusals: [] });
    const fetched = pictures.map((picture) => limitFetching(() => fetchOne(picture)));
    asking = Promise.all([asking, ...fetched]);
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
        await add([...files, ...inFolders.flat()]);
      }),
    async whenAdded() {
      await adding;
      await asking;
    },
    adoptResults() {
      const pictures = store.read().pictures.flatMap(({ outcome }) => {
        if (outcome.kind !== "done") return [];
        const { blob, name, format, sides } = outcome.result;
        return [{ ...pictureOf(new File([blob], name, { type: blob.type }), undefined), format, sides }];
      });
      store.dispatch({ type: "results-adopted", pictures });
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
    .map(({ name, size }) => (size === 0 ? `${name} is empty.` : `${name} is not a picture that can be worked on.`));
  const more = files.length - named.length;
  return more > 0 ? [...named, `${countOf(more, "more file")} left out.`] : named;
}
