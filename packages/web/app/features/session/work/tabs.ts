import type { UserInfo } from "@tintype/contract";

type Message = { personId: string; info: UserInfo };

/** Shares the usage that one tab learns with all tabs. The sign-in itself is shared through the hint instead. */
export function createTabs({ personId, onInfo }: { personId(): string | undefined; onInfo(info: UserInfo): void }): {
  publish(info: UserInfo): void;
} {
  const channel = new BroadcastChannel("tintype.usage");
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.personId === personId()) onInfo(data.info); // posted by this same code in another tab
  };
  return {
    publish(info) {
      const id = personId();
      if (id !== undefined) channel.postMessage({ personId: id, info } satisfies Message);
    },
  };
}
