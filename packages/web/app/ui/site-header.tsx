import { type ReactNode, useEffect, useState } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { brand } from "../lib/brand.ts";
import { joinClasses } from "../lib/join-classes.ts";
import { switchLight } from "../lib/light.ts";
import { MenuIcon, MoonIcon, SunIcon } from "./icons.tsx";
import { mainLinks } from "./site-links.ts";
import { Wordmark } from "./wordmark.tsx";

/** The header casts a shadow once the page is scrolled further than this. px */
const scrolledPx = 10;
/** On a phone. A popover, so that the browser opens and closes it: it works before the page's script has come. */
const menuId = "site-menu";

type Props = {
  /** The account area: usage and the menu, or the button to log in. */
  account?: ReactNode;
  /** A line under the bar, for an error about the account. */
  problem?: ReactNode;
};

export function SiteHeader({ account, problem }: Props) {
  const isScrolled = useIsScrolled();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(() => document.getElementById(menuId)?.hidePopover?.(), [pathname]);

  return (
    <header className="sticky top-0 z-40 bg-page" data-scrolled={isScrolled}>
      <div className="page-width flex min-h-16 items-center gap-1 max-[19.75rem]:flex-wrap sm:gap-2">
        <Link to="/" className="mr-auto rounded-sm text-2xl md:mr-6" aria-label={`${brand.name}, home`}>
          <Wordmark />
        </Link>
        <nav aria-label="Main" className="mr-auto hidden md:block">
          <NavList className="flex" linkClassName="px-3 py-2 text-sm" />
        </nav>
        <LightSwitch />
        {account}
        <button
          type="button"
          popoverTarget={menuId}
          aria-label="Menu"
          className="-mr-2 inline-flex size-10 items-center justify-center rounded-md hover:bg-sunken md:hidden"
        >
          <MenuIcon className="size-5" />
        </button>
      </div>
      <nav
        aria-label="Menu"
        id={menuId}
        popover="auto"
        className="fixed inset-x-0 top-16 bottom-auto m-0 w-full border-0 border-b border-line bg-page p-0 pb-3 text-ink md:hidden"
      >
        <NavList className="page-width" linkClassName="block py-3 text-base" />
      </nav>
      {problem && (
        <p id="header-problem" className="page-width pb-2 text-sm text-accent-ink">
          {problem}
        </p>
      )}
      <div
        aria-hidden
        className={joinClasses(
          "pointer-events-none absolute inset-x-0 top-full h-4 bg-linear-to-b from-black/8 to-transparent transition-opacity",
          !isScrolled && "opacity-0",
        )}
      />
    </header>
  );
}

/** Paper or darkroom. CSS picks the icon: the theme is not known during prerendering. */
function LightSwitch() {
  return (
    <button
      type="button"
      onClick={switchLight}
      title="Switch between light and dark"
      aria-label="Switch between light and dark"
      className="inline-flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink"
    >
      <MoonIcon className="only-paper size-4.5" />
      <SunIcon className="only-darkroom size-4.5" />
    </button>
  );
}

function NavList({ className, linkClassName }: { className: string; linkClassName: string }) {
  return (
    <ul className={className}>
      {mainLinks.map(({ to, label }) => (
        <li key={to}>
          <NavLink
            to={to}
            className={joinClasses(
              "rounded-md text-muted transition-colors hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink",
              linkClassName,
            )}
          >
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const onScroll = () => setIsScrolled(window.scrollY > scrolledPx);
    onScroll();
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);
  return isScrolled;
}
