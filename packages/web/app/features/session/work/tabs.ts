import type { UserInfo } from "@tintype/contract";

type Told = { personId: string; info: UserInfo };

/** All tabs show the usage that one of them learns. The sign-in itself travels by the hint instead. */
export function createTabs({ personId, onInfo }: { personId(): string | undefined; onInfo(info: UserInfo): void }): {
  tell(info: UserInfo): void;
} {
  const channel = new BroadcastChannel("tintype.usage");
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.personId === personId()) onInfo(data.info); // written below, by this very code in another tab
  };
  return {
    tell(info) {
      const id = personId();
      if (id !== undefined) channel.postMessage({ personId: id, info } satisfies Told);
    },
  };
}
