import { limits } from "@tintype/contract";
import { Link, useLocation } from "react-router";
import { PricingView } from "../features/billing/pricing/pricing-view.tsx";
import { useStudioState } from "../features/studio/work/studio-context.tsx";
import { isPrivate } from "../lib/brand.ts";
import { planFact } from "../lib/plan-fact.ts";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import { GoTo } from "../ui/go-to.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useCustomer } from "./customer.ts";

export const meta = () => pageMeta({ ...sitePages.pricing, structuredData: [breadcrumbs(sitePages.pricing)] });

export default function Pricing() {
  const customer = useCustomer();
  const waitingImages = useStudioState(({ pictures }) => pictures.length);
  if (isPrivate) return <GoTo path="/" />;
  return (
    <div className="page-width">
      <PageHead
        title="Pricing"
        lead={`One image through one tool is one credit. The first ${planFact("guest.credits", limits.guest.credits)} need no account, and an account is free.`}
      />
      <Reason />
      <PricingView customer={customer} waitingImages={waitingImages} />
      <div className="mt-8 max-w-2xl space-y-3 text-sm text-pretty text-muted">
        <p>
          Months and days begin at midnight UTC. A fast premium request is an image that goes ahead of others in the
          queue. If an image fails, its credit is returned. You can cancel at any time and keep the plan until the end
          of the paid period. A higher plan can start immediately, and the unused days of your old plan are refunded to
          your card. Other fees are non-refundable unless the law requires it.
        </p>
        <p>
          More in the{" "}
          <Link to="/faqs" className="underline underline-offset-2 hover:text-ink">
            FAQs
          </Link>{" "}
          and the{" "}
          <Link to="/terms" className="underline underline-offset-2 hover:text-ink">
            Terms & Conditions
          </Link>
          .
        </p>
      </div>
    </div>
  );
}

/** Why the visitor was sent here. It stays on the page because the dialog that said it first may be closed. */
function Reason() {
  const { state } = useLocation();
  const reason: unknown = state?.reason;
  if (typeof reason !== "string") return null;
  return (
    <p role="status" className="mb-8 max-w-2xl rounded-md bg-sunken px-4 py-3">
      {reason}
    </p>
  );
}
