/** Asks again where what is asked did not answer; a refusal is an answer. */
export declare function retrying<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
