import { DomainError } from "@tintype/contract";

/** The credits that one session may take. Calls at the same time hold their price before they begin. */
export type CreditCap = {
  most: number;
  taken(): number;
  /** Holds a price. The answer puts what was really taken in its place. @throws out-of-credits over the cap */
  hold(credits: number): (taken: number) => void;
};

export function createCreditCap(most: number): CreditCap {
  let sum = 0;
  return {
    most,
    taken: () => sum,
    hold(credits) {
      if (sum + credits > most)
        throw new DomainError("out-of-credits", {
          detail: `This would take ${credits} credits, and ${most - sum} of the ${most} that this session may take are left. The person can start it with a larger --max-credits.`,
        });
      sum += credits;
      return (taken) => {
        sum += taken - credits;
      };
    },
  };
}
