/**
 * Whether this is `npm run verify:deep`, which a release needs: other releases of Node.js and TypeScript, more damaged files, and real
 * weights where a small network does for a commit.
 */
export const isDeep = process.env["TINTYPE_TEST_DEEP"] === "1";

/**
 * Steps from one kill to the next where a test kills a server between any two: a commit takes every third, beginning with another one each
 * day, and a release takes all.
 */
export const killStride = isDeep ? 1 : 3;
export const firstKill = isDeep ? 1 : 1 + (new Date().getUTCDate() % killStride);
