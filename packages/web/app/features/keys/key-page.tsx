import type { CreatedApiKey } from "@tintype/contract";
import { useEffect, useRef, useState } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";
import { KeyForm } from "./key-form.tsx";
import { KeyRow } from "./key-row.tsx";
import { useKeys } from "./use-keys.ts";

/** A person's API keys: make one, copy it once, see what they did last, rotate, revoke. */
export function KeyPage() {
  const { keys, problem, read } = useKeys();
  const [created, setCreated] = useState<CreatedApiKey>();
  const heading = useFocusAfterLoss(keys?.length);

  function show(key: CreatedApiKey) {
    setCreated(key);
    void read();
  }

  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
      <section aria-labelledby="your-keys" className="min-w-0">
        <h2 id="your-keys" ref={heading} tabIndex={-1} className="text-2xl outline-none">
          Your keys
        </h2>
        <div role="status">{created && <NewKey created={created} />}</div>
        <div role="alert">{problem && <p className="mt-4 text-sm text-accent-ink">{problem}</p>}</div>
        {!keys && !problem && <p className="mt-4 text-muted">Loading...</p>}
        {keys?.length === 0 && <p className="mt-4 text-muted">You have no keys yet.</p>}
        {keys && keys.length > 0 && (
          <ul className="mt-2 divide-y divide-line">
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                onRotated={show}
                onRevoked={() => {
                  if (created?.id === key.id) setCreated(undefined);
                  void read();
                }}
              />
            ))}
          </ul>
        )}
      </section>
      <KeyForm onCreated={show} />
    </div>
  );
}

/** Takes the focus where a list has become shorter and the button that had the focus is gone with its row. */
function useFocusAfterLoss(count: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const isShorter = count !== undefined && before.current !== undefined && count < before.current;
    before.current = count;
    if (isShorter && document.activeElement === document.body) heading.current?.focus();
  }, [count]);
  return heading;
}

/** The one time that a key is seen. */
function NewKey({ created: { key, name } }: { created: CreatedApiKey }) {
  return (
    <div className="mt-4 rounded-lg border border-line bg-sunken p-4">
      <p className="text-sm font-medium">Copy the key “{name}” now. It is not shown again.</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <code className="min-w-0 text-sm break-all">{key}</code>
        <CopyButton text={key} label={`Copy the key ${name}`} />
      </div>
    </div>
  );
}
