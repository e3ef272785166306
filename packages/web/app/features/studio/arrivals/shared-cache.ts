/** The cache of pictures on their way into the studio. The service worker uses it too. */
export const sharedName = "tintype-shared";
