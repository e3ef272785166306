import manifest from "../../package.json" with { type: "json" };

/** The version of this release, such as `1.0.0`, for the log, `/readyz`, the OpenAPI document and refusals. */
export const { version: releaseVersion } = manifest;
