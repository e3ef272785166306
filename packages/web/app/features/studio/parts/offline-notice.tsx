import { useSyncExternalStore } from "react";

const subscribe = (listener: () => void) => {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
};

/** Says what the studio can do without the network. */
export function OfflineNotice() {
  const isOffline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
  return (
    <div role="status">
      {isOffline && (
        <p className="rounded-t-lg border-b border-line bg-sunken px-4 py-2 text-sm sm:px-6">
          You are offline. You can add images, choose options and save finished results. Processing needs a connection.
        </p>
      )}
    </div>
  );
}
