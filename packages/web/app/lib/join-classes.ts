/** Class names side by side; what is false or missing is left out. */
export const joinClasses = (...classes: ReadonlyArray<string | false | undefined>): string =>
  classes.filter((one) => typeof one === "string").join(" ");
