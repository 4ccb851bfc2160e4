import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";

/** The page's files, by their path below `/__simulator/`. Nothing else of the folder is served. */
const files = {
  "": { name: "page.html", type: "text/html; charset=utf-8" },
  "page.css": { name: "page.css", type: "text/css; charset=utf-8" },
  "page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
};

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Stored values are anybody's text: even if one were taken for markup, it could run and load nothing. */
const securityHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

/** The simulator's page at `/__simulator/`. It uses the control interface, and nothing that a test could not do. */
export function page() {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get("/__simulator", (context) => context.redirect("/__simulator/"));
  for (const [path, { name, type }] of Object.entries(files))
    app.get(`/__simulator/${path}`, async (context) =>
      context.body(await readFile(join(__dirname, name), "utf8"), 200, { ...securityHeaders, "content-type": type }),
    );
  return app;
}
