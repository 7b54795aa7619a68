import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import type express from "express";
import type { Express, NextFunction, Request, Response } from "express";
import type { ServiceFault } from "../../contract/index.ts";
import { compressedFiles } from "./compressed-files.ts";

/** Answers a fault of the transport. */
export type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  fault: ServiceFault,
  status: number,
  reason: string,
) => void;

/** Answers a request whose page failed. */
export type RefusePage = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** The pages that were added to a port, and 404 for all other paths. */
export function createPages(
  addRoutes: ((app: Express) => void) | undefined,
  refuse: Refuse,
  refusePage: RefusePage,
): Express {
  const app = loadExpress()();
  app.disable("x-powered-by").disable("etag").enable("strict routing").enable("case sensitive routing");
  addRoutes?.(app);
  app.use((request: Request, response: Response) => refuse(request, response, "invalidRequest", 404, "path"));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refusePage(error, request, response),
  );
  return app;
}

/**
 * Express, with the 130 modules that it is made of: loaded with the first page, because calls, health and metrics are
 * answered without it.
 */
export function loadExpress(): typeof express {
  return createRequire(import.meta.url)("express");
}

/** Where receivers find the service's public keys (RFC 7517; RFC 8615 for the path). */
const keySetPath = "/.well-known/jwks.json";

/** Serves the service's public keys. Receivers may keep them for `maxAgeSeconds`. A key set is printed once. */
export function addKeySetRoute(app: Express, keySet: () => Promise<object>, maxAgeSeconds: number): void {
  let printed: { readonly set: object; readonly body: Buffer } | undefined;
  app.get(keySetPath, async (_request, response) => {
    const set = await keySet();
    if (printed?.set !== set) printed = { set, body: Buffer.from(JSON.stringify(set)) };
    const { body } = printed;
    response.writeHead(200, {
      "Content-Type": "application/jwk-set+json",
      "Content-Length": body.length,
      "Cache-Control": `public, max-age=${maxAgeSeconds}`,
      "Access-Control-Allow-Origin": "*",
    });
    response.end(body);
  });
}

/** The policy that the pages also state themselves: nothing but their own files. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

/** Serves a folder of reference pages under `/docs`; one that is not there is not served. */
export function addReferencePages(app: Express, folder: string): void {
  if (!existsSync(folder)) return;
  // The file of that name, which the pages bring, removes what this shows: elsewhere there is no service to call.
  app.get("/docs/assets/try.js", (_request, response) => {
    response
      .type("text/javascript")
      .send("for (const link of document.querySelectorAll('[data-try]')) link.hidden = false;\n");
  });
  const send = compressedFiles();
  const router = loadExpress().Router({ strict: true });
  const sendText = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    response.set(headers);
    // Of the whole address: "/docs" is redirected to "/docs/". No name begins with a dot, so each is in the folder.
    const path = request.originalUrl.replace(/\?.*$/s, "").replace("/docs", "");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !/^\/(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/.test(path)) return next();
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!(await send(request, response, file))) next();
  };
  // Express 5 passes on what a promise is rejected with.
  router.use((request: Request, response: Response, next: NextFunction) => sendText(request, response, next));
  router.use(loadExpress().static(folder));
  app.use("/docs", router);
}
