import { type Credits } from "@tintype/contract";
import type { FastifyReply } from "fastify";
import { type JobRecord } from "../jobs/job.ts";
import type { Outputs } from "./outputs.ts";
import { type Delivering } from "./result.ts";
/**
 * Sends a finished job's whole result: the picture for one file, a ZIP for more, or the message that there was
 * nothing to convert. Once it is out the pictures are deleted. `id` names a job of the caller's that has ended.
 * @throws the file's own error for one file, nothing-succeeded for more, cancelled, gone
 */
export declare function sendResult(id: string, { reply, use, ...telling }: Answering): Promise<FastifyReply>;
/**
 * Sends a finished job's whole result to an address of the caller's, and answers without a body.
 * @throws url-refused, and what `sendResult` throws
 */
export declare function sendElsewhere(id: string, { reply, outputUrl, outputs, ...rest }: Answering & {
    outputUrl: string;
    outputs: Outputs;
}): Promise<FastifyReply>;
type Answering = {
    reply: FastifyReply;
    credits?: (record: JobRecord) => Credits | undefined;
    use: Delivering;
};
/** Sends one file's result, of a job of the caller's. @throws the file's error, job-not-finished, gone */
export declare function sendFile(id: string, { index, reply, use }: {
    index: number;
    reply: FastifyReply;
    use: Delivering;
}): Promise<FastifyReply>;
export {};
