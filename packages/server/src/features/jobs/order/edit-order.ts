import { auxiliaryFilesOf, DomainError, manifestOf, tasks } from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import { sniffFormat } from "@tintype/imaging";
import { type Caller, ownersOf } from "../../../http/caller.ts";
import type { SpooledPicture } from "../../../http/upload.ts";
import { type KeptFile, keptFile } from "../deliver/deliver.ts";
import { beginDelivery } from "../deliver/delivery.ts";
import type { Jobs } from "../jobs.ts";
import type { Order } from "./order.ts";

type EditOrderOptions = { jobs: Jobs; caller: Caller; id: string; index: string };

/** A free edit of a cut-out that its job still keeps. The edit is a job of its own. */
export function editOrder({ jobs, caller, id, index }: EditOrderOptions): Order {
  const { fields } = manifestOf("edit");
  return {
    known: { texts: Object.keys(fields), files: [] },
    noFiles: tasks.edit.noFiles,
    isCharged: false,
    isPreview: true,
    auxiliaryFiles: auxiliaryFilesOf("edit"),
    async stepsOf(sent) {
      const options = taskOptions.edit.parse(sent);
      if (options.blur !== undefined && (options.background ?? "transparent") !== "transparent")
        throw new DomainError("invalid-request", {
          field: "blur",
          detail: "Use either a blur or a background colour, not both.",
        });
      return [{ operation: "edit", options }];
    },
    /** An edit delivers the picture, as a download does: it can no longer be discarded for a refund. */
    async alongside(tx) {
      const record = await beginDelivery(tx, id, { indexes: [Number(index)] });
      if (!record) throw new DomainError("not-found");
      keptFile(record, index);
    },
    async storedOf(fields, files) {
      const record = await jobs.find(id, ownersOf(caller));
      const file = keptFile(record, index);
      const { kept } = file;
      checkMatte(files, kept);
      const { candidate } = taskOptions.edit.parse(fields);
      checkCandidate(candidate, file);
      const { mattes } = kept.candidates ?? {};
      return {
        file: {
          name: file.name,
          sizeBytes: file.sizeBytes,
          format: "png",
          input: `${record.id}/${kept.cutOut}`,
          // An edited cut-out is as good a result as the cut-out.
          chain: { jobId: record.id, index: Number(index) },
        },
        inputs: [
          {
            role: "original",
            blob: `${record.id}/${kept.original}`,
            ...(kept.page === undefined ? {} : { page: kept.page }),
          },
          ...(candidate > 1 && mattes !== undefined
            ? [{ role: "candidates" as const, blob: `${record.id}/${mattes}` }]
            : []),
        ],
      };
    },
  };
}

/** @throws cannot-process */
function checkCandidate(candidate: number, { candidates }: KeptFile): void {
  if (candidate <= candidates) return;
  throw new DomainError("cannot-process", {
    field: "candidate",
    detail: `This cut-out has ${candidates === 1 ? "no other candidate" : `${candidates} candidates`}.`,
  });
}

/**
 * Refuses a matte of another size before any work, if its header contains the size.
 * @throws cannot-process
 */
function checkMatte(files: readonly SpooledPicture[], size: { width: number; height: number }): void {
  const matte = files.find(({ field }) => field === "matte");
  if (!matte) return;
  const head = Buffer.from(matte.head.buffer, matte.head.byteOffset, matte.head.byteLength);
  if (sniffFormat(matte.head) !== "png" || head.length < 24)
    throw new DomainError("cannot-process", { field: "matte", detail: "The matte must be a greyscale PNG." });
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  if (width !== size.width || height !== size.height)
    throw new DomainError("cannot-process", {
      field: "matte",
      detail: `The matte has ${width} x ${height} pixels; the cut-out has ${size.width} x ${size.height}.`,
    });
}
