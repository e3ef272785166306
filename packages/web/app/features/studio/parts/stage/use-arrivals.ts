import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useStudio } from "../../work/studio-context.tsx";

/** File handling, which TypeScript's own types lack. */
type LaunchParams = { files?: readonly FileSystemFileHandle[] };
declare global {
  interface Window {
    launchQueue?: { setConsumer(take: (params: LaunchParams) => void): void };
  }
}

/**
 * Takes in pictures that the system opens with the installed app, or that the page before has left.
 * @returns pictures that were shared with the app, which are taken in only if the person says so, and the end of asking
 */
export function useArrivals(): { shared: File[]; forgetShared(): void } {
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
        async ({ takeArrivals }) => setShared(await takeArrivals("shared")),
        reportError,
      );
  }, [search, hash, studio, navigate]);
  useEffect(() => {
    window.launchQueue?.setConsumer(({ files = [] }) => {
      if (files.length > 0)
        void Promise.all(files.map((handle) => handle.getFile())).then(studio.addFiles, () => undefined); // gone meanwhile
    });
  }, [studio]);
  return { shared, forgetShared: () => setShared([]) };
}
