import { limits, text, type UserInfo } from "@tintype/contract";
import { LogOut, Settings } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { isPrivate } from "../../../lib/brand.ts";
import { formatNumber } from "../../../lib/size.ts";
import { Meter } from "../../../ui/meter.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { sentenceFor } from "../sentences.ts";
import { useSession, useSessionState } from "../session-context.tsx";

const itemClasses =
  "flex w-full items-center gap-3 rounded-md px-3 py-2.5 text-left text-sm hover:bg-sunken focus-visible:bg-sunken";

type Props = {
  /** The button that opened the dialog had the focus and is gone. */
  takesFocus: boolean;
};

/** The remaining credits and the account menu. Default export: `lazy` loads it. */
export default function AccountMenu({ takesFocus }: Props) {
  const session = useSession();
  const notify = useToasts();
  const visitor = useSessionState((state) => state.visitor);
  const info = useSessionState((state) => state.info);
  const { isOpen, setIsOpen, area, trigger } = useDisclosure();
  const panelId = useId();
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) trigger.current?.focus();
  }, [takesFocus, trigger]);
  const isDialogClosed = useSessionState(({ dialog }) => dialog?.isOpen === false);
  useEffect(() => {
    if (!isDialogClosed) return;
    // The dialog restores the focus when it closes, but the element that opened it is gone.
    const frame = requestAnimationFrame(() => document.activeElement === document.body && trigger.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [isDialogClosed, trigger]);
  if (visitor.kind !== "person") return null;
  const { name, email, picture } = visitor.person;

  async function logOut() {
    setIsOpen(false);
    try {
      await (await session.load()).signOut();
    } catch (problem) {
      notify.error(sentenceFor(problem, { fallback: text.somethingWrong }));
    }
  }

  return (
    <>
      {!isPrivate && <UsageIndicator info={info} />}
      <div ref={area} className="relative">
        <button
          ref={trigger}
          type="button"
          aria-label={`Account of ${name || email}`}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex size-10 items-center justify-center rounded-full"
        >
          <Portrait name={name || email} picture={picture} />
        </button>
        <div
          id={panelId}
          hidden={!isOpen}
          className="absolute top-full right-0 mt-2 w-60 rounded-lg border border-line bg-surface p-2 shadow-card"
        >
          <div className="mb-1 border-b border-line px-3 pt-1 pb-3">
            <p className="truncate text-sm font-medium">{name}</p>
            <p className="truncate text-xs text-muted">{email}</p>
          </div>
          <Link to="/account" className={itemClasses} onClick={() => setIsOpen(false)}>
            <Settings aria-hidden className="size-4 text-muted" />
            Account Settings
          </Link>
          <button type="button" className={itemClasses} onClick={() => void logOut()}>
            <LogOut aria-hidden className="size-4 text-muted" />
            Log Out
          </button>
        </div>
      </div>
    </>
  );
}

/** Credits used out of the limit, in numbers and as a bar. Until the server has answered: docs/product.md's defaults. */
function UsageIndicator({ info }: { info: UserInfo | undefined }) {
  const used = info?.service_count ?? 0;
  const limit = info?.limit ?? limits.hobby.credits;
  const when = info ? { ever: "", month: " this month", day: " today" }[info.window] : "";
  return (
    <div
      title={`${formatNumber(used)} of ${formatNumber(limit)} credits used${when}`}
      className="mr-1 min-w-16 text-xs sm:min-w-20"
    >
      <p aria-hidden className="mb-1 whitespace-nowrap text-muted">
        <span className="font-medium text-ink">{formatNumber(used)}</span> of {formatNumber(limit)}
        <span className="max-sm:hidden"> used</span>
      </p>
      <Meter label="Credits used" value={used} max={limit} />
    </div>
  );
}

/** The person's picture, or their initial if there is none or it does not load. */
function Portrait({ name, picture }: { name: string; picture: string | null }) {
  const [failed, setFailed] = useState<string>();
  if (picture !== null && failed !== picture)
    return (
      <img
        src={picture}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setFailed(picture)}
        className="size-8 rounded-full object-cover"
      />
    );
  return (
    <span
      aria-hidden
      className="flex size-8 items-center justify-center rounded-full border border-edge font-serif text-sm uppercase"
    >
      {[...name][0] ?? ""}
    </span>
  );
}

/** Opens and closes by its button; closes on Escape, on a click or focus elsewhere, and on navigation. */
function useDisclosure() {
  const [isOpen, setIsOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes it
  useEffect(() => setIsOpen(false), [pathname]);
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setIsOpen(false);
      trigger.current?.focus();
    };
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !area.current?.contains(target)) setIsOpen(false);
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("keydown", onKeyDown, { signal });
    document.addEventListener("pointerdown", onElsewhere, { signal });
    document.addEventListener("focusin", onElsewhere, { signal });
    return () => listening.abort();
  }, [isOpen]);
  return { isOpen, setIsOpen, area, trigger };
}
