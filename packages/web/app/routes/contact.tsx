import { ContactForm } from "../features/contact/contact-form.tsx";
import { pageMeta } from "../lib/seo.ts";
import { sitePages } from "../lib/site/pages.ts";
import { breadcrumbs } from "../lib/site/structured-data.ts";
import { PageHead } from "../ui/page-head.tsx";
import { Prose } from "../ui/prose.tsx";

export const meta = () => pageMeta({ ...sitePages.contact, structuredData: [breadcrumbs(sitePages.contact)] });

const hints = `<ul>
<li>Something went wrong? Tell us what you did, with which format, and what you saw. Include the reference from the message (<code>req_…</code>) so we can find it.</li>
<li>A question? The <a href="/faqs">FAQs</a> may already have the answer.</li>
<li>About your data? Tell us which account or email it concerns. The <a href="/policy#your-rights">Privacy Policy</a> says what you can ask for.</li>
</ul>`;

export default function Contact() {
  return (
    <div className="page-width">
      <PageHead title="Contact" lead="Write to us. A person will read it and reply to your email." />
      <div className="grid gap-12 lg:grid-cols-[minmax(0,34rem)_minmax(0,22rem)] lg:justify-between">
        <ContactForm />
        <aside>
          <h2 className="text-xl">Before you write</h2>
          <Prose html={hints} className="mt-4 text-muted" />
        </aside>
      </div>
    </div>
  );
}
