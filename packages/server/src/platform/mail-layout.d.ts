export type MailParts = {
    /** The first line of the letter, large. */
    title: string;
    /** Only where the reader's address is verified: a name in a mail to a stranger is a way to send them a message. */
    name?: string | undefined;
    /** Plain sentences, a paragraph each. */
    paragraphs: readonly string[];
    /** Facts as in a receipt. */
    facts?: readonly (readonly [label: string, value: string])[];
    link?: {
        label: string;
        url: string;
    };
};
/** A letter as plain text and as HTML: ink on paper, one accent, nothing that has to be fetched. */
export declare function layMail({ title, name, paragraphs, facts, link }: MailParts): {
    text: string;
    html: string;
};
