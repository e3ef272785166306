import { randomId } from "../../../lib/random-id.ts";
import { countOf } from "../../../lib/size.ts";
import type { Dropped } from "../intake/dropped-entries.ts";
import { filesInFolder } from "../intake/files-in-folder.ts";
import { looksLikeImage } from "../intake/looks-like-image.ts";
import type { Picture, PictureId } from "../state/picture.ts";
import type { StudioParts } from "../studio-parts.ts";

/** Names told one by one before the rest is only counted. */
const namedRefusals = 3;

export type Intake = {
  addFiles(files: readonly File[]): Promise<void>;
  addDropped(dropped: Dropped): Promise<void>;
  /** Finished results become the pictures for the next tool. */
  adoptResults(): void;
  /** Resolves when all that was added so far is in: a submit that follows at once must not miss it. */
  whenAdded(): Promise<void>;
};

/** Pictures on their way in. */
export function createIntake({ store }: StudioParts): Intake {
  let adding: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = adding.then(work);
    adding = turn.catch(() => undefined); // whoever added it hears of it; the next turn comes all the same
    return turn;
  };

  async function add(files: readonly File[]) {
    const checked = await Promise.all(files.map(async (file) => ({ file, isTaken: await looksLikeImage(file) })));
    const pictures = checked.flatMap(({ file, isTaken }) => (isTaken ? [pictureOf(file)] : []));
    const refusals = refusalsOf(checked.flatMap(({ file, isTaken }) => (isTaken ? [] : [file])));
    if (pictures.length === 0 && refusals.length === 0) return;
    store.dispatch({ type: "pictures-added", pictures, refusals });
  }
  return {
    addFiles: (files) => inTurn(() => add(files)),
    addDropped: ({ files, folders }) =>
      inTurn(async () => {
        const inFolders = await Promise.all(folders.map(filesInFolder));
        await add([...files, ...inFolders.flat()]);
      }),
    whenAdded: async () => void (await adding),
    adoptResults() {
      const pictures = store.read().pictures.flatMap(({ outcome }) => {
        if (outcome.kind !== "done") return [];
        const { blob, name } = outcome.result;
        return [pictureOf(new File([blob], name, { type: blob.type }))];
      });
      store.dispatch({ type: "results-adopted", pictures });
    },
  };
}

const pictureOf = (file: File): Picture => ({
  id: randomId() as PictureId, // ids begin here
  name: file.name,
  sizeBytes: file.size,
  file,
  preview: { kind: "pending" },
  sides: undefined,
  outcome: { kind: "none" },
});

function refusalsOf(files: readonly File[]): string[] {
  const named = files
    .slice(0, namedRefusals)
    .map(({ name, size }) => (size === 0 ? `${name} is empty.` : `${name} is not a picture that can be worked on.`));
  const more = files.length - named.length;
  return more > 0 ? [...named, `${countOf(more, "more file")} left out.`] : named;
}
