import type { CreatedApiKey } from "@tintype/contract";
import { useCallback, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { useRead } from "../../lib/use-read.ts";
import { ItemList, ShownOnce } from "../../ui/item-list.tsx";
import { KeyForm } from "./key-form.tsx";
import { KeyRow } from "./key-row.tsx";

/** A person's API keys: create one, copy it once, see its last use, rotate, revoke. */
export function KeyPage() {
  const api = useApi();
  const { data, problem, read } = useRead(useCallback((signal) => api.call("GET /keys", { signal }), [api]));
  const [created, setCreated] = useState<CreatedApiKey>();

  function show(key: CreatedApiKey) {
    setCreated(key);
    void read();
  }

  return (
    <ItemList
      title="Your keys"
      items={data?.keys}
      problem={problem}
      onRetry={() => void read()}
      none="You have no keys yet."
      notice={
        created && (
          <ShownOnce
            words={`Copy the key “${created.name}” now. It is not shown again.`}
            secret={created.key}
            label={`Copy the key ${created.name}`}
          />
        )
      }
      row={(key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          onRotated={show}
          onRevoked={() => {
            if (created?.id === key.id) setCreated(undefined);
            void read();
          }}
        />
      )}
      form={<KeyForm onCreated={show} />}
    />
  );
}
