import { useEffect, useId, useRef } from "react";
import type { Obstacle } from "../../state/obstacle.ts";
import type { OptionsProps } from "./use-setting.ts";

/** Focuses the form's field that an obstacle is about. `obstacleId` is for the element with its sentence. */
export function useObstacle(obstacle: Obstacle | undefined, id?: string) {
  const form = useRef<HTMLFormElement>(null);
  const ownId = useId();
  const obstacleId = id ?? ownId;
  const problemIn: OptionsProps["problemIn"] = (field) => (obstacle?.field === field ? obstacleId : undefined);
  useEffect(() => {
    const invalid = obstacle && form.current?.querySelector<HTMLElement>("[aria-invalid]");
    (invalid?.querySelector("input") ?? invalid)?.focus();
  }, [obstacle]);
  return { form, obstacleId, problemIn };
}
