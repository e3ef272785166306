import { formats } from "@tintype/contract";

/** For a choice of files. Endings besides `image/*`: systems that do not know a format's type would grey its files out. */
export const acceptedTypes = [
  "image/*",
  ...Object.values(formats).flatMap(({ extensions }) => extensions.map((name) => `.${name}`)),
].join();
