import { DomainError } from "@tintype/contract";

/** The credit limit of a session. Concurrent calls reserve their price before they begin. */
export type CreditCap = {
  most: number;
  taken(): number;
  /** Reserves a price. The returned function replaces it by what was actually charged. @throws out-of-credits over the cap */
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
