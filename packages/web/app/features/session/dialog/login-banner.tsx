/** Beside the form on large screens: the plate, before a picture has come up on it. */
export function LoginBanner() {
  return (
    <div aria-hidden className="plate relative hidden overflow-hidden rounded-l-lg lg:block">
      <div className="plate-line absolute inset-4" />
    </div>
  );
}
