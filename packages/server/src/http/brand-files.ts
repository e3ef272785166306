import type { FastifyInstance, FastifyReply } from "fastify";
import type { Brand, BrandPicture } from "../platform/brand/brand.ts";
import { brandPaths } from "./brand-pages.ts";

/** Built icons that an operator's icon replaces. */
const pngIcons = ["/icon-192.png", "/icon-512.png", "/icon-maskable-512.png", "/apple-touch-icon.png"];
const svgIcon = "/favicon.svg";
const manifest = "/manifest.webmanifest";

/** Built files that this server replaces by its own responses, relative to the folder's root. */
export function brandedFiles({ icon, socialImage, isOwn }: Brand): string[] {
  return [
    manifest.slice(1),
    ...(icon ? [...pngIcons, svgIcon].map((path) => path.slice(1)) : []),
    ...(isOwn || socialImage ? ["social/**"] : []),
  ];
}

/** The operator's pictures, and the web app manifest with the operator's name. */
export function mountBrandFiles(
  app: FastifyInstance,
  { brand, builtManifest }: { brand: Brand; builtManifest: string | undefined },
): void {
  const { logo, logoDark, icon, socialImage } = brand;
  if (logo) app.get(brandPaths.logo, (_, reply) => sendPicture(reply, logo));
  if (logoDark) app.get(brandPaths.logoDark, (_, reply) => sendPicture(reply, logoDark));
  if (icon) {
    for (const path of pngIcons) app.get(path, (_, reply) => sendPicture(reply, icon));
    app.get(svgIcon, (_, reply) => send(reply, "image/svg+xml", Buffer.from(svgAround(icon))));
  }
  if (socialImage) app.get("/social/*", (_, reply) => sendPicture(reply, socialImage));
  if (builtManifest !== undefined) {
    const content = Buffer.from(JSON.stringify(brandManifest(JSON.parse(builtManifest), brand), null, 2));
    app.get(manifest, (_, reply) => send(reply, "application/manifest+json", content));
  }
}

function brandManifest(built: Record<string, unknown>, { name, icon }: Brand): Record<string, unknown> {
  const icons = icon && [
    { src: pngIcons[1], sizes: `${icon.width}x${icon.height}`, type: icon.type },
    { src: pngIcons[2], sizes: `${icon.width}x${icon.height}`, type: icon.type, purpose: "maskable" },
  ];
  return { ...built, name, short_name: name, ...(icons ? { icons } : {}) };
}

/** Browsers request the tab's icon as SVG: one that embeds the PNG. */
const svgAround = ({ bytes, type, width, height }: BrandPicture): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="data:${type};base64,${bytes.toString("base64")}"/></svg>`;

const sendPicture = (reply: FastifyReply, { type, bytes }: BrandPicture) => send(reply, type, bytes);

function send(reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  return reply
    .headers({
      "cache-control": "public, max-age=3600",
      // An SVG opened directly runs no scripts.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    })
    .type(type)
    .send(bytes);
}
