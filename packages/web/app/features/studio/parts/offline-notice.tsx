import { useEffect, useState } from "react";
import { isOffline, probeIntervalMs } from "../../../lib/wait.ts";

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
  const [isOfflineNow, setIsOfflineNow] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let latest = 0;
    const check = async () => {
      clearTimeout(timer);
      latest += 1;
      const attempt = latest;
      const result = await isOffline();
      if (attempt !== latest) return;
      setIsOfflineNow(result);
      if (navigator.onLine === false) timer = setTimeout(check, probeIntervalMs);
    };
    void check();
    window.addEventListener("online", check);
    window.addEventListener("offline", check);
    return () => {
      latest += 1;
      clearTimeout(timer);
      window.removeEventListener("online", check);
      window.removeEventListener("offline", check);
    };
  }, []);
  return isOfflineNow;
}
