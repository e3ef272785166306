import { text } from "@tintype/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { isPrivate } from "../../../../lib/brand.ts";
import { saveBlob } from "../../../../lib/save-blob.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Progress } from "../../../../ui/progress.tsx";
import { settingObstacle } from "../../state/form-fields.ts";
import type { Obstacle } from "../../state/obstacle.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";
import type { OneProgress, OneResult } from "../../work/run-one.ts";
import { useStudio } from "../../work/studio-context.tsx";
import { ToolOptions } from "../options/tool-options.tsx";
import { useObstacle } from "../options/use-obstacle.ts";
import { OnePictureContext } from "../options/use-setting.ts";

type Props = { picture: Picture; file: File; onClose(): void };

/** The same input as another tool would get: the result if there is one, or else the picture with its crop and rotation. */
const sourceOf = ({ outcome, frame }: Picture, file: File) =>
  outcome.kind === "done"
    ? {
        file: new File([outcome.result.blob], outcome.result.name, { type: outcome.result.blob.type }),
        frame: undefined,
      }
    : { file, frame };

/** Makes a ZIP of one picture for a web page: sizes, formats and markup. Default export for `lazy`. */
export default function WebSetDialog({ isOpen, picture, file, onClose }: Props & { isOpen: boolean }) {
  return (
    <Dialog title="Web set" {...{ isOpen, onClose }}>
      <WebSetForm {...{ picture, file, onClose }} />
    </Dialog>
  );
}

type WebSetZip = Extract<OneResult, { kind: "made" }>;

function WebSetForm({ picture, file, onClose }: Props) {
  const studio = useStudio();
  const source = sourceOf(picture, file);
  const [values, setValues] = useState<ToolSettings>({});
  const [obstacle, setObstacle] = useState<Obstacle>();
  const [refusal, setRefusal] = useState<Extract<OneResult, { kind: "refused" }>>();
  const [progress, setProgress] = useState<OneProgress>();
  const [made, setMade] = useState<WebSetZip>();
  const work = useRef<AbortController>(undefined);
  const { form, obstacleId, problemIn } = useObstacle(obstacle);
  // Closing the dialog aborts its job.
  useEffect(() => () => work.current?.abort(), []);

  const change = (patch: ToolSettings) => {
    setObstacle(undefined);
    setRefusal(undefined);
    setMade(undefined);
    setValues((now) => ({ ...now, ...patch }));
  };
  async function make() {
    const abort = new AbortController();
    work.current = abort;
    setRefusal(undefined);
    setProgress({ stage: "Uploading", fraction: 0 });
    const { signal } = abort;
    try {
      const request = { ...source, settings: values };
      const response = await studio.makeWebSet(request, { signal, onProgress: setProgress });
      if (response.kind === "refused") return setRefusal(response);
      setMade(response);
      saveBlob(response.blob, response.name);
    } catch (problem) {
      if (signal.aborted) return;
      reportError(problem);
      setRefusal({ kind: "refused", sentence: text.somethingWrong });
    } finally {
      setProgress(undefined);
      studio.refreshAllowance();
    }
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const found = settingObstacle("web-set", values);
    setObstacle(found);
    if (!found) void make();
  }
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        <span className="font-medium text-ink wrap-anywhere">{source.file.name}</span> for a web page: a ZIP with every
        width in every format, and the HTML that shows them.
      </p>
      <fieldset disabled={progress !== undefined} className="flex min-w-0 flex-col gap-5">
        <OnePictureContext value={{ picture, values, change }}>
          <ToolOptions tool="web-set" problemIn={problemIn} />
        </OnePictureContext>
      </fieldset>
      <div role="alert" id={obstacleId} className="empty:hidden">
        {obstacle && <p className="text-sm text-accent-ink">{obstacle.sentence}</p>}
        {refusal && (
          <p className="text-sm text-accent-ink">
            {refusal.sentence}{" "}
            {refusal.isOutOfCredits && (
              <Link to="/pricing" className="underline">
                See plans
              </Link>
            )}
          </p>
        )}
      </div>
      <div role="status" className="empty:hidden">
        {progress && (
          <>
            <p className="mb-2 text-sm">{progress.stage}</p>
            <Progress label="Web set" value={progress.fraction} />
          </>
        )}
        {made && !progress && <p className="text-sm wrap-anywhere">{made.name} is downloaded.</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {made ? (
          <Button kind="primary" onClick={() => saveBlob(made.blob, made.name)}>
            Download again
          </Button>
        ) : (
          <Button type="submit" kind="primary" disabled={progress !== undefined}>
            Make web set{!isPrivate && " · 1 credit"}
          </Button>
        )}
        <Button kind="quiet" onClick={progress ? () => work.current?.abort() : onClose}>
          {progress ? "Cancel" : "Close"}
        </Button>
      </div>
    </form>
  );
}
