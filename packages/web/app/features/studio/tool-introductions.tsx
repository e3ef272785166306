import { Link } from "react-router";
import { useStudioState } from "./work/studio-context.tsx";
import { tools } from "./work/tools.ts";

/** One sentence about each tool. Without JavaScript, `/#resize` leads here. */
export function ToolIntroductions() {
  const current = useStudioState((state) => state.tool);
  return (
    <div className="mt-16 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-5">
      {tools.map(({ value, label, introduction, anchor, icon: Icon }) => (
        <section key={value} id={anchor} aria-labelledby={`${anchor}-title`} className="scroll-mt-24">
          {Icon && <Icon className={value === current ? "size-5 text-accent" : "size-5 text-muted"} />}
          <h2 id={`${anchor}-title`} className="mt-3 text-xl">
            <Link to={`#${anchor}`} className="rounded-sm hover:underline">
              {label}
            </Link>
          </h2>
          <p className="mt-1.5 text-sm text-muted">{introduction}</p>
        </section>
      ))}
    </div>
  );
}
