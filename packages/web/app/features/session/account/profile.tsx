import { UserRound } from "lucide-react";
import { useState } from "react";
import type { Person } from "../port.ts";

/** The person's photo, or an icon if there is none or it does not load. */
export function Profile({ person: { name, email, picture } }: { person: Person }) {
  const [failed, setFailed] = useState<string>();
  return (
    <div className="flex items-center gap-5">
      {picture !== null && failed !== picture ? (
        <img
          src={picture}
          alt=""
          referrerPolicy="no-referrer"
          onError={() => setFailed(picture)}
          className="size-20 shrink-0 rounded-full object-cover"
        />
      ) : (
        <span aria-hidden className="flex size-20 shrink-0 items-center justify-center rounded-full bg-sunken">
          <UserRound className="size-9 text-muted" strokeWidth={1.25} />
        </span>
      )}
      <div className="min-w-0">
        <h1 className="pb-1 text-3xl wrap-anywhere sm:text-4xl">{name || "Your account"}</h1>
        <p className="text-muted wrap-anywhere">{email}</p>
      </div>
    </div>
  );
}
