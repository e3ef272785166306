import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import { DomainError, isPrivate } from "@tintype/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Brand } from "../platform/brand/brand.ts";
import { brandedFiles, mountBrandFiles } from "./brand-files.ts";
import { brandPage } from "./brand-pages.ts";
import { sendProblem } from "./errors.ts";

export type SiteOptions = {
  /** The built web app: prerendered pages and hashed assets. */
  folder: string;
  /** Replaces the build's placeholder in absolute addresses. */
  origin: string;
  /** Other origins that pages may send requests to and load scripts from: a checkout, an identity provider. */
  allowed: { scripts: string[]; connections: string[]; frames: string[]; images: string[] };
  brand: Brand;
  /** The address of the API that an unknown one may mean. */
  nearestPath?: (path: string) => string | undefined;
};

/** Replaced by the origin in built pages, feeds and sitemaps, since only a running server knows it. */
export const originPlaceholder = "https://origin.tintype.invalid";

type Page = {
  type: string;
  plain: Buffer;
  /** Compressed on the first request: compressing all pages would add seconds to the startup. */
  packed: Partial<Record<ContentCoding, Promise<Buffer>>>;
  etag: string;
  policy: string;
};

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type ContentCoding = keyof typeof packers;

/** Paths that the app routes in the browser, without a page of their own on disk. */
const appPaths = /^\/account(\/|$)/;
/** Paths for programs, which get machine-readable errors. An open page requests the next one's data at `….data`. */
const notForPeople = /^\/(api|idp|assets)(\/|$)|[.]data$/;
/** `/404`, `/blog/404`: the build's not-found pages, which are not addresses themselves. */
const isMissingPage = (path: string) => /\/404(\/|[.]data|$)/.test(path);
/** The page that a private installation does not have. */
const isPricing = /^\/pricing\/?$/;
const movedForGood: Record<string, string> = { "/blogs": "/blog", "/convert-image": "/convert" };

/**
 * The prerendered site: a page's own HTML if there is one, its assets, otherwise the not-found page with status 404. Pages
 * are few and small: they are kept in memory, each with a content security policy that lists the hashes of its inline
 * scripts.
 */
export async function serveSite(app: FastifyInstance, options: SiteOptions): Promise<void> {
  const { folder, brand } = options;
  const pages = readPages(options);
  const nearestTo = (path: string | undefined) => (path === undefined ? undefined : options.nearestPath?.(path));
  const manifest = join(folder, "manifest.webmanifest");
  mountBrandFiles(app, { brand, builtManifest: existsSync(manifest) ? readFileSync(manifest, "utf8") : undefined });
  if (existsSync(folder))
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      redirect: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: [
        "**/*.html",
        "**/*.br",
        "**/*.gz",
        ...brandedFiles(brand),
        ...[...pages.keys()].filter((path) => !path.endsWith("/")).map((path) => path.slice(1)),
      ],
      setHeaders: (reply, path) => {
        const isWorker = /[\\/]sw[.]js([.](br|gz))?$/.test(path);
        const isNamedByContent = /[\\/]assets[\\/]/.test(path);
        // The service worker decides which version is shown, so it must not be cached. It fetches under its own policy.
        if (isWorker) reply.header("content-security-policy", "default-src 'none'; connect-src 'self'");
        reply.header(
          "cache-control",
          isWorker ? "no-cache" : isNamedByContent ? "public, max-age=31536000, immutable" : "public, max-age=3600",
        );
        reply.header("vary", "accept-encoding");
      },
    });
  // Counted, and before a body is read, as at the desk: neither a limit nor an oversized body must tell the two apart.
  const countRequest = app.rateLimit();
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    if (isOfApi.test(request.url)) await countRequest.call(app, request, reply);
    if (!isReading(request)) throw unknownAddress(nearestTo(pathOf(request)));
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (path === undefined) return sendProblem(request, reply, new DomainError("not-found"));
    const moved = movedForGood[path.replace(/\/$/, "")];
    if (moved) return reply.redirect(moved, 301);
    // Not for good: the mode may change.
    if (isPrivate() && isPricing.test(path)) return reply.redirect("/", 302);
    // Before the API's own response: its reference, /api/docs, is a page like others.
    const page = isMissingPage(path) ? undefined : (pages.get(path) ?? pages.get(`${path.replace(/\/$/, "")}/`));
    if (page) return sendPage(request, reply, page, 200);
    const shell = pages.get("/__spa-fallback.html");
    if (shell && appPaths.test(path)) {
      reply.header("x-robots-tag", "noindex"); // what stands there is somebody's own
      return sendPage(request, reply, shell, 200);
    }
    const missing = pages.get(path.startsWith("/blog/") ? "/blog/404/" : "/404/");
    const nearest = nearestTo(path);
    // A program that left out /api accepts anything, a browser asks for a page.
    const isForProgram = nearest !== undefined && !request.headers.accept?.includes("text/html");
    if (!missing || notForPeople.test(path) || isForProgram)
      return sendProblem(request, reply, unknownAddress(nearest));
    return sendPage(request, reply, missing, 404);
  });
}

const unknownAddress = (nearest: string | undefined): DomainError =>
  nearest === undefined
    ? new DomainError("not-found")
    : new DomainError("not-found", { detail: `There is nothing at this address. Did you mean ${nearest}?` });

/** Also in absolute form. */
const isOfApi = /^(?:https?:\/\/[^/]*)?\/api\//i;

const isReading = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

function pathOf(request: FastifyRequest): string | undefined {
  try {
    return decodeURIComponent(request.url.split("?", 1)[0] ?? "/");
  } catch {
    return undefined;
  }
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  status: number,
): Promise<FastifyReply> {
  reply.headers({
    "content-type": page.type,
    "cache-control": "no-cache",
    etag: page.etag,
    vary: "accept-encoding",
    "content-security-policy": page.policy,
  });
  if (status === 200 && request.headers["if-none-match"]?.includes(page.etag)) return reply.code(304).send();
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const coding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  if (!coding) return reply.code(status).send(page.plain);
  page.packed[coding] ??= packers[coding](page.plain);
  const packed = await page.packed[coding];
  return reply.code(status).header("content-encoding", coding).send(packed);
}

const pageTypes: Record<string, string> = {
  html: "text/html; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  data: "text/x-script; charset=utf-8",
};

const typeOf = (file: string) => pageTypes[file.split(".").at(-1) ?? ""] ?? "application/octet-stream";

/** Every built text that may contain the origin, by request path: `/pricing/`, `/sitemap.xml`. */
function readPages({ folder, origin, allowed, brand }: SiteOptions): Map<string, Page> {
  if (!existsSync(folder)) return new Map();
  const pages = new Map<string, Page>();
  for (const file of globSync("**/*.{html,xml,txt,data}", { cwd: folder })) {
    const built = readFileSync(join(folder, file), "utf8").replaceAll(originPlaceholder, origin);
    const text = brandPage(built, { file: file.replaceAll("\\", "/"), brand });
    const plain = Buffer.from(text);
    const type = file === "feed.xml" ? "application/atom+xml; charset=utf-8" : typeOf(file);
    const path = `/${file.replaceAll("\\", "/").replace(/(^|\/)index[.]html$/, "$1")}`;
    pages.set(path, {
      type,
      plain,
      packed: {},
      etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`,
      policy: pagePolicy(text, allowed),
    });
  }
  return pages;
}

/** Allows inline scripts (hydration data, the theme switch) by their hashes, and nothing else inline. */
function pagePolicy(html: string, allowed: SiteOptions["allowed"]): string {
  const inline = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
    .filter(([, attributes = "", code = ""]) => code !== "" && !/\bsrc=/i.test(attributes))
    .map(([, , code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  const directives: Record<string, string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...new Set(inline), ...allowed.scripts],
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "blob:", "data:", ...allowed.images],
    "connect-src": ["'self'", "blob:", ...allowed.connections],
    "frame-src": allowed.frames.length > 0 ? allowed.frames : ["'none'"],
    "font-src": ["'self'"],
    "worker-src": ["'self'", "blob:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(" ")}`)
    .join("; ");
}
