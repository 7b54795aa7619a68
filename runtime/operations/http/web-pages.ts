import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join, posix, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Express, NextFunction, Request, Response } from "express";
import { compressedFiles } from "./compressed-files.ts";
import { linkedScript } from "./linked-script.ts";
import { loadExpress } from "./pages.ts";

/** Pages that run in a browser, written in modules: where they are served, and which files they may load. */
export interface WebPages {
  /** Under which they are served: `/console`. */
  readonly path: string;
  /** The folder that paths of files are relative to. */
  readonly root: string;
  /** The document, such as `web/console/index.html`. */
  readonly index: string;
  /** The files and folders that may be loaded; folders end with `/`. */
  readonly files: readonly string[];
  /** Whether pages of the same origin may show it in a frame. */
  readonly isFramed?: true;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const framedHeaders: Readonly<Record<string, string>> = {
  ...headers,
  "Content-Security-Policy": policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
};

/** Serves pages; those whose document is not there are not served. */
export function addWebPages(app: Express, { path, root, index, files, isFramed }: WebPages): void {
  if (!existsSync(join(root, index))) return;
  const own = isFramed ? framedHeaders : headers;
  const isServed = (file: string): boolean =>
    /^(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.\w+$/.test(file) &&
    files.some((each) => (each.endsWith("/") ? file.startsWith(each) : namesOf(file).includes(each)));
  const read = async (each: string) => (isServed(each) ? await readScript(join(root, each)) : undefined);
  const scripts = new Map<string, Script>();
  const sendScript = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const file = request.path.slice(1);
    const text = scripts.has(file) ? undefined : await textOf(file, read);
    if (text !== undefined) scripts.set(file, { text, compressed: gzipSync(text) });
    const script = scripts.get(file);
    if (script === undefined) return next();
    response.type(file.endsWith(".css") ? "text/css" : "text/javascript").vary("Accept-Encoding");
    if (request.acceptsEncodings("gzip") === false) response.send(script.text);
    else response.set("Content-Encoding", "gzip").send(script.compressed);
  };

  const sendCompressed = compressedFiles();
  const sendFile = async (
    request: Request,
    response: Response,
    next: NextFunction,
    file: string,
  ): Promise<void> => {
    if (await sendCompressed(request, response, join(root, file))) return;
    response.sendFile(file, { root }, (error) => error && next());
  };
  const router = loadExpress().Router({ strict: true });
  router.get("/", (request: Request, response: Response, next: NextFunction) =>
    sendFile(request, response.set(own), next, index),
  );
  router.get("/*file", (request: Request, response: Response, next: NextFunction) => {
    const file = request.path.slice(1);
    if (!isServed(file)) return next();
    response.set(own);
    // Express 5 passes on what a promise is rejected with.
    if (/\.(?:[jt]s|css)$/.test(file)) return sendScript(request, response, next);
    return sendFile(request, response, next, file);
  });
  app.get(path, (_request, response) => response.redirect(301, `${path}/`));
  app.use(path, router);
}

/** The names of a file: a module that was packed is listed as it is in a checkout, too. */
function namesOf(file: string): readonly string[] {
  return [file, file.replace(/\.js$/, ".ts")];
}

type ReadFile = (file: string) => Promise<string | undefined>;

/** A script or a style sheet, with what it imports where that is sent with it. */
async function textOf(file: string, read: ReadFile): Promise<string | undefined> {
  if (file.endsWith(".css")) return linkedStyle(file, read);
  return isLinked(file) ? linkedScript(file, read) : read(file);
}

/** A style sheet that begins with those that it imports. */
async function linkedStyle(file: string, read: ReadFile): Promise<string | undefined> {
  const text = await read(file);
  const names = [...(text ?? "").matchAll(/^@import "\.\/(.*)";\n/gm)].map(([, name = ""]) => name);
  const imported = await Promise.all(
    names.map((name) => linkedStyle(posix.join(posix.dirname(file), name), read)),
  );
  return text && `${imported.join("")}${text.replaceAll(/^@import .*\n/gm, "")}`;
}

/** A script or a style sheet as it is sent. */
interface Script {
  readonly text: string;
  readonly compressed: Buffer;
}

/**
 * Whether a script is sent with all that it imports. Modules of a client that a page chooses as it runs share classes of
 * errors: each of them is there once.
 */
function isLinked(file: string): boolean {
  return file.startsWith("web/") || file.includes("/validators/");
}

/** A page that is one file. */
export interface FilePage {
  readonly path: string;
  /** Need not be named, nor be there yet: the answer is 204 then. */
  readonly file: string | undefined;
}

const fileHeaders: Readonly<Record<string, string>> = {
  ...headers,
  "Content-Security-Policy":
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts",
};

/** Serves a page that others have written: it is kept apart, so that what its scripts do stays within it. */
export function addFilePage(app: Express, { path, file }: FilePage): void {
  app.get(path, (_request: Request, response: Response, next: NextFunction) => {
    response.set(fileHeaders);
    if (file === undefined || !existsSync(file)) return response.status(204).end();
    return response.sendFile(resolve(file), { dotfiles: "allow" }, (error) => error && next());
  });
}

/** A module without its types: the source's own in a checkout, the compiled one where it was packed. */
async function readScript(file: string): Promise<string | undefined> {
  if (existsSync(file)) {
    const text = await readFile(file, "utf8");
    return file.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
  }
  const compiled = file.replace(/\.ts$/, ".js");
  return existsSync(compiled) ? await readFile(compiled, "utf8") : undefined;
}
