import { text } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { useState } from "react";
import { saveBlob } from "../lib/save-blob.ts";
import { Button } from "./button.tsx";

type Props = {
  label: string;
  /** The accessible name, in place of the label. */
  description?: string;
  kind?: "primary" | "secondary";
  open(): Promise<Response>;
  /** The file name when the response has none. */
  usualName: string;
};

/** Downloads a file that needs authentication: a plain link could not carry the token. */
export function FileButton({ label, description, kind = "secondary", open, usualName }: Props) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  async function save() {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      const answer = await open();
      const [, name = usualName] = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? [];
      saveBlob(await answer.blob(), name);
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <>
      <Button kind={kind} aria-label={description} aria-disabled={isBusy} onClick={() => void save()}>
        {isBusy ? text.processing : label}
      </Button>
      <div role="alert" className="w-full empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
    </>
  );
}
