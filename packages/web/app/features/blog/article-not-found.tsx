import { text } from "@tintype/contract";
import { Link } from "react-router";
import { buttonClasses } from "../../ui/button.tsx";

/** For a path under `/blog` that has no article. */
export function ArticleNotFound() {
  return (
    <div className="page-width py-24 text-center">
      <h1 className="text-4xl sm:text-5xl">{text.blogNotFound}</h1>
      <p className="mt-4 text-muted">There is no article at this address. See the full list instead.</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/blog" className={buttonClasses({ kind: "primary", size: "lg" })}>
          See all articles
        </Link>
        <Link to="/" className={buttonClasses({ size: "lg" })}>
          Go to the studio
        </Link>
      </div>
    </div>
  );
}
