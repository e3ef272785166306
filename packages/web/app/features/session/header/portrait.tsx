import { useState } from "react";

type Props = { name: string; picture: string | null };

/** The person's picture, or their initial if there is none or it does not load. */
export function Portrait({ name, picture }: Props) {
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
