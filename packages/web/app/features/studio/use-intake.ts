import { useEffect, useState } from "react";
import { droppedEntries } from "./intake/dropped-entries.ts";
import { useStudio } from "./studio-context.tsx";

/**
 * Takes pictures dropped anywhere on the page, or pasted. True while files are held over the page. A drop is never
 * left to the browser, which would leave the page to show the file.
 */
export function useIntake(): boolean {
  const studio = useStudio();
  const [isHeldOver, setIsHeldOver] = useState(false);
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsHeldOver(true);
      studio.preload(); // loads while the person still aims
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsHeldOver(false); // left the window, not just an element
    };
    const onDrop = (event: DragEvent) => {
      setIsHeldOver(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      const dropped = droppedEntries(event.dataTransfer);
      studio.act((work) => work.addDropped(dropped));
    };
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) studio.act((work) => work.addFiles(files));
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    window.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
      window.removeEventListener("paste", onPaste);
    };
  }, [studio]);
  return isHeldOver;
}
