import { Link } from "react-router";
import { pageMeta } from "../lib/seo.ts";
import { buttonClasses } from "../ui/button.tsx";

export const meta = () => [
  ...pageMeta({ title: "Page not found", description: "There is no page at this address.", path: "/404" }),
  { name: "robots", content: "noindex" },
];

export default function NotFound() {
  return (
    <div className="page-width py-24 text-center">
      <h1 className="text-4xl sm:text-5xl">Page not found</h1>
      <p className="mt-4 text-muted">There is nothing at this address. It may have moved, or the link may be wrong.</p>
      <Link to="/" className={`${buttonClasses({ kind: "primary", size: "lg" })} mt-8`}>
        Go to the studio
      </Link>
    </div>
  );
}
