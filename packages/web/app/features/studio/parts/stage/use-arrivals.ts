import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useStudio } from "../../work/studio-context.tsx";

/** The File Handling API, which TypeScript's DOM types lack. */
type LaunchParams = { files?: readonly FileSystemFileHandle[] };
declare global {
  interface Window {
    launchQueue?: { setConsumer(take: (params: LaunchParams) => void): void };
  }
}

/**
 * Adds pictures that the system opens with the installed app, or that the previous page handed over.
 * @returns pictures shared with the app, which are added only after the user agrees, and a function to dismiss them
 */
export function useArrivals(): { shared: File[]; dismissShared(): void } {
  const studio = useStudio();
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  const [shared, setShared] = useState<File[]>([]);
  useEffect(() => {
    if (search !== "?shared" && search !== "?restored") return;
    void navigate({ pathname: "/", hash }, { replace: true });
    if (search === "?restored") studio.addRestored();
    else
      import("../../work/intake/shared-pictures.ts").then(
        async ({ takeShared }) => setShared(await takeShared()),
        reportError,
      );
  }, [search, hash, studio, navigate]);
  useEffect(() => {
    window.launchQueue?.setConsumer(({ files = [] }) => {
      if (files.length > 0)
        void Promise.all(files.map((handle) => handle.getFile())).then(studio.addFiles, () => undefined); // the file is gone
    });
  }, [studio]);
  return { shared, dismissShared: () => setShared([]) };
}
