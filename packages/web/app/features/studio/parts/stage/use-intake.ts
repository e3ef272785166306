import { useEffect, useState } from "react";
import { addressesIn, droppedEntries } from "../../work/intake/data-transfer.ts";
import { useStudio } from "../../work/studio-context.tsx";

/**
 * Adds pictures and picture URLs that are dropped anywhere on the page or pasted. Returns true while files are dragged over the page.
 * Every drop is handled here: by default the browser would navigate to the file.
 */
export function useIntake(): boolean {
  const studio = useStudio();
  const [isHeldOver, setIsHeldOver] = useState(false);
  useEffect(() => {
    // Ignore results and links dragged from this page itself.
    let isPageDrag = false;
    const onDragStart = () => {
      isPageDrag = true;
    };
    const onDragEnd = () => {
      isPageDrag = false;
    };
    const hasFiles = ({ dataTransfer }: DragEvent) =>
      !isPageDrag && (dataTransfer?.types.some((type) => type === "Files" || type === "text/uri-list") ?? false);
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsHeldOver(true);
      studio.begin(); // loads the code during the drag
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsHeldOver(false); // the drag left the window, not just an element
    };
    const onDrop = (event: DragEvent) => {
      setIsHeldOver(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      const dropped = droppedEntries(event.dataTransfer);
      const addresses = addressesIn(event.dataTransfer.getData("text/uri-list"));
      if (dropped.files.length + dropped.folders.length > 0) studio.addDropped(dropped);
      else if (addresses.length > 0) studio.addAddresses(addresses);
    };
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) return studio.addFiles(files);
      if (target instanceof Element && target.closest("input, textarea, [contenteditable]")) return;
      const addresses = addressesIn(clipboardData?.getData("text/plain") ?? "");
      if (addresses.length > 0) studio.addAddresses(addresses);
    };
    const abort = new AbortController();
    const { signal } = abort;
    window.addEventListener("dragstart", onDragStart, { signal });
    window.addEventListener("dragend", onDragEnd, { signal });
    window.addEventListener("dragover", onDragOver, { signal });
    window.addEventListener("dragleave", onDragLeave, { signal });
    window.addEventListener("drop", onDrop, { signal });
    window.addEventListener("paste", onPaste, { signal });
    return () => abort.abort();
  }, [studio]);
  return isHeldOver;
}
