import { DomainError } from "@tintype/contract";

/** The credit limit of a session. Concurrent calls reserve their price before they begin. */
export type CreditCap = {
  max: number;
  taken(): number;
  /** Reserves a price. The returned function replaces it by what was actually charged. @throws out-of-credits over the cap */
  hold(credits: number): (taken: number) => void;
};

export function createCreditCap(max: number): CreditCap {
  let sum = 0;
  return {
    max,
    taken: () => sum,
    hold(credits) {
      if (sum + credits > max)
        throw new DomainError("out-of-credits", {
          detail: `This would take ${credits} credits, and ${max - sum} of the ${max} that this session may take are left. The person can start it with a larger --max-credits.`,
        });
      sum += credits;
      return (taken) => {
        sum += taken - credits;
      };
    },
  };
}
