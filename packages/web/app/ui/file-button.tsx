import { text } from "@tintype/contract";
import { saveBlob } from "../lib/save-blob.ts";
import { useAction } from "../lib/use-action.ts";
import { Button } from "./button.tsx";

type Props = {
  label: string;
  /** The accessible name, in place of the label. */
  description?: string;
  kind?: "primary" | "secondary";
  open(): Promise<Response>;
  /** The file name when the response has none. */
  defaultName: string;
};

/** Downloads a file that needs authentication: a plain link could not carry the token. */
export function FileButton({ label, description, kind = "secondary", open, defaultName }: Props) {
  const { problem, isBusy, run } = useAction();
  async function save() {
    const response = await open();
    const [, name = defaultName] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
    saveBlob(await response.blob(), name);
  }
  return (
    <>
      <Button kind={kind} aria-label={description} aria-disabled={isBusy} onClick={() => void run(save)}>
        {isBusy ? text.processing : label}
      </Button>
      <div role="alert" className="w-full empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
    </>
  );
}
