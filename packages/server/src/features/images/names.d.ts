/** RFC 6266: an ASCII name for old readers, and the true one in UTF-8. */
export declare function contentDisposition(name: string): string;
