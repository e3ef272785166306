/** Whether this is `npm run verify:deep`, which a release needs. */
export const isDeep = process.env["TINTYPE_TEST_DEEP"] === "1";

const stride = 3;

/** Of many like cases a commit takes every third, beginning with another one each day, and a release takes all. */
export const casesOfRun = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_, index) => isDeep || index % stride === new Date().getUTCDate() % stride);
