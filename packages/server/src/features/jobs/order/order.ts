import {
  type AuxiliaryFile,
  auxiliaryFilesOf,
  DomainError,
  manifestOf,
  manualComesLater,
  manualProfile,
  type TaskName,
} from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type KnownFields,
  type SpooledForm,
  type SpooledPicture,
  type SpoolOptions,
  urlField,
} from "../../../http/upload.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { JobCost } from "../../credits/allowance.ts";
import { outputField } from "../deliver/outputs.ts";
import type { Input, JobRecord, NewFile } from "../record/job.ts";
import { webhookField } from "./url-input.ts";

export type AskedStep = { operation: TaskName; options: object };

/** How a form becomes a request. */
export type Order = {
  known: Omit<KnownFields, "auxiliary">;
  /** The error text for a form without a picture. */
  noFiles: string;
  isCharged: boolean;
  isPreview?: boolean;
  /** Sent by the studio without a click: leaves half of the free engine time to other work. */
  isBackground?: true;
  /** Files beside the pictures, which are not processed themselves. */
  auxiliaryFiles?: readonly Pick<AuxiliaryFile, "field" | "role">[];
  /** The picture to work on, if an earlier job keeps it. @throws not-found, gone and more */
  storedOf?(fields: Record<string, string>, files: readonly SpooledPicture[]): Promise<KeptPicture | undefined>;
  /** Reads a body that is not our form. @throws what `spoolForm` throws */
  readForm?(request: FastifyRequest, spooling: SpoolOptions): Promise<SpooledForm>;
  /** Responds in a shape of its own once the job has ended with a result. */
  respond?(record: JobRecord, answered: { reply: FastifyReply; credits: JobCost | undefined }): Promise<FastifyReply>;
  /** The result is kept after the response, until it expires. */
  isKept?: true;
  /** Writes the job's related rows in the transaction that creates it. */
  alongside?(tx: Transaction, network: string): Promise<void>;
  /** The steps for each file. @throws invalid-request and more for invalid fields */
  stepsOf(fields: Record<string, string>): Promise<readonly [AskedStep, ...AskedStep[]]>;
};

/** A picture that an earlier job keeps, with its related blobs. */
export type KeptPicture = { file: NewFile; inputs: Input[] };

/** Text fields with addresses, in every form of a task that costs credits. An upload has only the first. */
export const addressFields = [urlField, outputField, webhookField] as const;

/** One task of the contract, with its own form. */
export function orderOf(task: TaskName): Order {
  const { fields, noFiles, creditsPerFile: price } = manifestOf(task);
  return {
    known: {
      texts: [...Object.keys(fields), ...(price > 0 ? addressFields : task === "upload" ? [urlField] : [])],
      files: ["files"],
    },
    noFiles,
    isCharged: price > 0,
    auxiliaryFiles: auxiliaryFilesOf(task),
    async stepsOf(sent) {
      const options = taskOptions[task].parse(sent);
      refuseManualProfile(options);
      return [{ operation: task, options }];
    },
  };
}

function refuseManualProfile(options: object): void {
  if ("profile" in options && options.profile === manualProfile)
    throw new DomainError("cannot-process", { field: "profile", detail: manualComesLater });
}
