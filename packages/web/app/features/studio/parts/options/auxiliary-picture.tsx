import { useRef } from "react";
import { useBlobUrl } from "../../../../lib/use-blob-url.ts";
import { Button } from "../../../../ui/button.tsx";
import { FileName } from "../../../../ui/file-name.tsx";
import { acceptedTypes } from "../stage/file-picker.tsx";

type Props = { label: string; picture: File | undefined; onChoose(picture: File): void };

/** A file picker for an auxiliary picture, with a thumbnail. */
export function AuxiliaryPicture({ label, picture, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const url = useBlobUrl(picture, async () => picture);
  return (
    <div className="flex items-center gap-3">
      <input
        ref={input}
        type="file"
        hidden
        accept={acceptedTypes}
        aria-label={label}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = ""; // so that choosing the same file again fires a change event
          if (chosen) onChoose(chosen);
        }}
      />
      {url && <img src={url} alt="" className="size-10 shrink-0 rounded-md border border-line object-cover" />}
      <Button size="sm" kind="secondary" onClick={() => input.current?.click()}>
        {picture ? "Change" : "Choose an image"}
      </Button>
      {picture && <FileName name={picture.name} className="min-w-0 text-sm text-muted" />}
    </div>
  );
}
