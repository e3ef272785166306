import { brand } from "../../../../lib/brand.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { useStudio } from "../../work/studio-context.tsx";

type Props = { files: readonly File[]; onDone(): void };

/** Asks before adding pictures shared with the app, because any page can post them. */
export function SharedPictures({ files, onDone }: Props) {
  const studio = useStudio();
  const pictures = files.length === 1 ? "1 image" : `${files.length} images`;
  return (
    <Dialog title={`Add ${pictures}?`} isOpen onClose={onDone}>
      <p className="text-muted">
        Another app or website has shared {files.length === 1 ? "this" : "these"} with {brand.name}:
      </p>
      <ul className="mt-3 max-h-48 list-disc overflow-y-auto pl-5 text-sm wrap-anywhere">
        {files.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name, and the list never changes
          <li key={index}>{name}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button size="lg" onClick={onDone}>
          Discard
        </Button>
        <Button
          size="lg"
          kind="primary"
          onClick={() => {
            studio.addFiles([...files]);
            onDone();
          }}
        >
          Add {pictures}
        </Button>
      </div>
    </Dialog>
  );
}
