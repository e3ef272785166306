import { useEffect, useState } from "react";
import { countOf } from "../../../../lib/size.ts";
import { Switch } from "../../../../ui/switch.tsx";
import { priceOf } from "../../state/order.ts";
import { readStartAtOnce, writeStartAtOnce } from "../../work/start-at-once.ts";
import { useStudioState } from "../../work/studio-context.tsx";

/** The switch that starts new pictures with the current options as soon as they are added. */
export function StartAtOnce() {
  const callerId = useStudioState(({ caller }) => caller?.id);
  const each = useStudioState(({ steps }) => priceOf(steps));
  const [isOn, setIsOn] = useState(false);
  // Read after mount, because local storage is not available to the server rendering.
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
