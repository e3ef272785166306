import { useEffect, useState } from "react";
import { isOffline, probeEveryMs } from "../../../lib/wait.ts";

/** Says what the studio can do without the network. */
export function OfflineNotice() {
  const isShown = useIsOffline();
  return (
    <div role="status">
      {isShown && (
        <p className="rounded-t-lg border-b border-line bg-sunken px-4 py-2 text-sm sm:px-6">
          You are offline. You can add images, choose options and save finished results. Processing needs a connection.
        </p>
      )}
    </div>
  );
}

function useIsOffline(): boolean {
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let latest = 0;
    const look = async () => {
      clearTimeout(timer);
      latest += 1;
      const own = latest;
      const isNow = await isOffline();
      if (own !== latest) return;
      setIsKnown(isNow);
      if (navigator.onLine === false) timer = setTimeout(look, probeEveryMs);
    };
    void look();
    window.addEventListener("online", look);
    window.addEventListener("offline", look);
    return () => {
      latest += 1;
      clearTimeout(timer);
      window.removeEventListener("online", look);
      window.removeEventListener("offline", look);
    };
  }, []);
  return isKnown;
}
