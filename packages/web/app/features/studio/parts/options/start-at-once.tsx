import { useEffect, useState } from "react";
import { countOf } from "../../../../lib/size.ts";
import { Switch } from "../../../../ui/switch.tsx";
import { priceOf } from "../../state/order.ts";
import { readStartAtOnce, writeStartAtOnce } from "../../work/start-at-once.ts";
import { useStudioState } from "../../work/studio-context.tsx";

/** The person's wish that pictures start with the present options as they are added. */
export function StartAtOnce() {
  const callerId = useStudioState(({ caller }) => caller?.id);
  const each = useStudioState(({ steps }) => priceOf(steps));
  const [isOn, setIsOn] = useState(false);
  // The page was rendered without the browser's memory.
  useEffect(() => setIsOn(readStartAtOnce(callerId)), [callerId]);
  return (
    <Switch
      label="Start at once"
      hint={`New images start as you add them, ${countOf(each, "credit")} each.`}
      isOn={isOn}
      onChange={(wanted) => setIsOn(writeStartAtOnce(callerId, wanted) && wanted)}
    />
  );
}
