/** How long after its job's end a cut-out can be edited: pictures kept for free edits or previews have one minute for their deletion. */
export const editableMs = 14 * 60_000;
