import { DomainError } from "@tintype/contract";
/** The refusal of a form's field that there is not. */
export declare function unknownField(name: string, known: readonly string[]): DomainError;
