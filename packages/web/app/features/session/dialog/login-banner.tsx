import darkroom from "../../../pictures/darkroom-800.webp";

/** Beside the form on large screens. Lazy: small screens do not load the picture. */
export function LoginBanner() {
  return (
    <div aria-hidden className="plate relative hidden overflow-hidden rounded-l-lg lg:block">
      <img src={darkroom} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
      <div className="plate-line absolute inset-4" />
    </div>
  );
}
