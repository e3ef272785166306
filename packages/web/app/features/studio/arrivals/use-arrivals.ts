import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useStudio } from "../studio-context.tsx";

const shared = "?shared";

/** Takes in pictures that another app shares with the installed app, that the system opens with it, or that a page left before its reload. */
export function useArrivals(): void {
  const studio = useStudio();
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  useEffect(() => {
    if (search !== shared) return;
    void navigate({ pathname: "/", hash }, { replace: true });
    studio.act(async (work) => {
      const { takeShared } = await import("./take-arrivals.ts");
      await work.addFiles(await takeShared());
    });
  }, [search, hash, studio, navigate]);
  useEffect(() => {
    if (!("launchQueue" in window)) return;
    void import("./take-arrivals.ts").then(
      ({ hearOpenedFiles }) => hearOpenedFiles((files) => studio.act((work) => work.addFiles(files))),
      () => undefined, // without the chunk the app opens as usual
    );
  }, [studio]);
}
