import { useEffect } from "react";
import { readKeptHint } from "./kept/kept-hint.ts";
import { useStudio } from "./studio-context.tsx";
import { createRememberedJobs } from "./work/remembered-jobs.ts";

/** Looks once for a batch and for results of an earlier visit; loads nothing where there are none. */
export function useEarlierVisit(): void {
  const studio = useStudio();
  useEffect(() => {
    if (createRememberedJobs(window.localStorage).list().length > 0) studio.act((work) => work.findEarlier());
    else if (readKeptHint(Date.now())) studio.preload(); // reads what is kept as it comes to life
  }, [studio]);
}
