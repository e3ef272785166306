/** Joins class names and skips those that are false or undefined. */
export const joinClasses = (...classes: ReadonlyArray<string | false | undefined>): string =>
  classes.filter((one) => typeof one === "string").join(" ");
