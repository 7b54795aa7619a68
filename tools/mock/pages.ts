import type { IncomingMessage, ServerResponse } from "node:http";

/** Pages beside a mock, by their paths below `/docs/`; made when the first is asked for. */
export type MockPages = () => ReadonlyMap<string, string>;

const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const types: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  svg: "image/svg+xml",
};

/** Answers a request for a page, or for the root, which leads to them; false for any other. */
export function createPageHandler(
  pages: MockPages,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let made: ReadonlyMap<string, string> | undefined;
  return ({ method, url = "" }, response) => {
    const [pathname = ""] = url.split("?");
    if (method === "GET" && pathname === "/") {
      response.writeHead(302, { Location: "docs/" }).end();
      return true;
    }
    if (method !== "GET" || !/^\/docs(?:\/|$)/.test(pathname)) return false;
    if (!pathname.startsWith("/docs/")) {
      response.writeHead(301, { Location: "/docs/" }).end();
      return true;
    }
    const path = pathname.slice("/docs/".length).replace(/(^|\/)$/, "$1index.html");
    made ??= pages();
    const text = made.get(path);
    if (text === undefined) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("There is no such page\n");
      return true;
    }
    const type = types[path.split(".").at(-1) ?? ""] ?? "text/plain";
    response.writeHead(200, { ...headers, "Content-Type": `${type}; charset=utf-8` }).end(text);
    return true;
  };
}
