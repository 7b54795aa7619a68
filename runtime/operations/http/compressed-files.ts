import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";

/** Files that gzip makes smaller; pictures are small already. */
const texts: ReadonlySet<string> = new Set([
  ".css",
  ".go",
  ".html",
  ".java",
  ".js",
  ".json",
  ".md",
  ".py",
  ".sh",
  ".svg",
  ".ts",
  ".txt",
  ".yaml",
]);

interface Compressed {
  readonly version: string;
  readonly body: Buffer;
}

/** Sends the file, whose headers are set. False if it is not a text, is not there, or the caller takes no gzip. */
export type SendCompressed = (request: Request, response: Response, file: string) => Promise<boolean>;

const compress = promisify(gzip);

/** A sender that compresses each version of a text file once. A caller that has the version already gets 304. */
export function compressedFiles(): SendCompressed {
  const kept = new Map<string, Compressed>();

  async function read(file: string): Promise<Compressed | undefined> {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    const version = `${found.size.toString(16)}-${Math.trunc(found.mtimeMs).toString(16)}`;
    const known = kept.get(file);
    if (known?.version === version) return known;
    const compressed = { version, body: await compress(await readFile(file)) };
    kept.set(file, compressed);
    return compressed;
  }

  return async (request, response, file) => {
    if (!texts.has(extname(file))) return false;
    response.vary("Accept-Encoding");
    if (request.acceptsEncodings("gzip") === false) return false;
    const compressed = await read(file);
    if (compressed === undefined) return false;
    // The plain file has the tag of the same version without the encoding.
    response.set("ETag", `W/"${compressed.version}-gzip"`).type(extname(file));
    if (request.fresh) response.status(304).end();
    else response.set("Content-Encoding", "gzip").send(compressed.body);
    return true;
  };
}
