import { formats } from "@tintype/contract";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { Button } from "../../../../ui/button.tsx";
import { useStudio } from "../../work/studio-context.tsx";

/** For a choice of files. Endings besides `image/*`: systems that do not know a format's type would grey its files out. */
export const acceptedTypes = [
  "image/*",
  ...Object.values(formats).flatMap(({ extensions }) => extensions.map((name) => `.${name}`)),
].join();

type Props = {
  children: ReactNode;
  kind: "primary" | "secondary" | "quiet";
  size?: "sm" | "md" | "lg";
  isFolder?: boolean;
};

/** A button that opens the system's choice of files, or of a folder. */
export function FilePicker({ children, kind, size = "md", isFolder = false }: Props) {
  const studio = useStudio();
  const input = useRef<HTMLInputElement>(null);

  const take = useCallback(
    (target: HTMLInputElement) => {
      // Hidden files of a folder are the system's, not the person's.
      const files = [...(target.files ?? [])].filter(({ name }) => !name.startsWith("."));
      target.value = ""; // choosing the same file again is then a change
      if (files.length > 0) studio.addFiles(files);
    },
    [studio],
  );
  // The page can be used before its script has come to life: what was chosen by then is taken up.
  useEffect(() => {
    if (input.current?.files?.length) take(input.current);
  }, [take]);

  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={isFolder ? undefined : acceptedTypes}
        aria-label={isFolder ? "Folder" : "Images"}
        onChange={({ target }) => take(target)}
        {...(isFolder && { webkitdirectory: "" })}
      />
      <Button
        kind={kind}
        size={size}
        // Phones have no choice of folders.
        className={isFolder ? "[@media(hover:none)]:hidden" : undefined}
        onClick={(event) => {
          event.stopPropagation();
          input.current?.click();
        }}
      >
        {children}
      </Button>
    </>
  );
}
