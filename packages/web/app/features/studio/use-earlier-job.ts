import { useEffect } from "react";
import { createRememberedJobs } from "./run/remembered-jobs.ts";
import { useStudio } from "./studio-context.tsx";

/** Looks once for a batch that was begun before the page was left; loads nothing where there is none. */
export function useEarlierJob(): void {
  const studio = useStudio();
  useEffect(() => {
    if (createRememberedJobs(window.localStorage).list().length === 0) return;
    studio.act((work) => work.findEarlier());
  }, [studio]);
}
