import type { FastifyInstance } from "fastify";
export type SiteOptions = {
    /** The built web app: prerendered pages and hashed assets. */
    folder: string;
    /** Replaces the build's placeholder in absolute addresses. */
    origin: string;
    /** Other origins that the page may send requests to and load scripts from: a checkout, an identity provider. */
    allowed: {
        scripts: string[];
        connections: string[];
        frames: string[];
        images: string[];
    };
};
/** Stands in built pages, feeds and sitemaps for the origin, which only a running server knows. */
export declare const originPlaceholder = "https://origin.tintype.invalid";
/**
 * The prerendered site: a page's own HTML where there is one, its assets, else the not-found page with status 404.
 * Pages are few and small: they are held ready in memory, compressed, each with a content security policy that
 * names the hashes of its own inline scripts.
 */
export declare function serveSite(app: FastifyInstance, options: SiteOptions): Promise<void>;
