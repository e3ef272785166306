/** Whether this is `npm run verify:deep`, which a release needs: other releases of Node.js, and real weights where a small network does for a commit. */
export const isDeep = process.env["TINTYPE_TEST_DEEP"] === "1";
