import { formats } from "@tintype/contract";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { Button } from "../../../../ui/button.tsx";
import { useStudio } from "../../work/studio-context.tsx";

/** The `accept` list. It has extensions besides `image/*`, because a system that does not know a format's type would grey out its files. */
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

/** A button that opens the system's file or folder picker. */
export function FilePicker({ children, kind, size = "md", isFolder = false }: Props) {
  const studio = useStudio();
  const input = useRef<HTMLInputElement>(null);

  const take = useCallback(
    (target: HTMLInputElement) => {
      // Hidden files of a folder, such as `.DS_Store`, are not the user's.
      const files = [...(target.files ?? [])].filter(({ name }) => !name.startsWith("."));
      target.value = ""; // so that choosing the same file again fires a change event
      if (files.length > 0) studio.addFiles(files);
    },
    [studio],
  );
  // Files can be chosen before hydration: add those now.
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
        // Phones have no folder picker.
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
