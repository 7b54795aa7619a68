import { createHash, createHmac } from "node:crypto";
import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";

/** A request on its way: what a script of either program may read and set. */
export interface Outgoing {
  body: string;
  readonly headers: Map<string, string>;
}

/**
 * A text with variables replaced as Postman does it: up to 19 times over the whole text, so that values may contain
 * variables.
 */
export function withPostmanVariables(text: string, values: ReadonlyMap<string, string>): string {
  let replaced = text;
  for (let pass = 0; pass < 19; pass += 1)
    replaced = replaced.replaceAll(/{{([^{}]*?)}}/g, (whole, name: string) => values.get(name) ?? whole);
  return replaced;
}

/** The same as Bruno does it, whose variables are more than names: `{{process.env.HOME}}`, `{{$guid}}`. */
export function withBrunoVariables(text: string, values: ReadonlyMap<string, string>): string {
  const drawn = text.replaceAll(/\{\{\$(\w+)\}\}/g, "drawn");
  let replaced = drawn;
  for (let pass = 0; pass < 19; pass += 1)
    replaced = replaced.replaceAll(/\{\{([^}]+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
  return replaced;
}

/** What a script sees in newman: neither the Web Crypto API nor `await`. Gives what it printed, and whether it skips. */
export function runPostman(
  script: string,
  outgoing: Outgoing,
  values: ReadonlyMap<string, string>,
  requestName: string,
): readonly string[] {
  const said: string[] = [];
  const pm = {
    info: { requestName },
    execution: { skipRequest: () => said.push("skipped") },
    variables: {
      get: (name: string) => values.get(name),
      replaceIn: (text: string) => withPostmanVariables(text, values),
    },
    request: {
      body: {
        raw: outgoing.body,
        update: ({ raw }: { readonly raw: string }) => (outgoing.body = raw),
      },
      headers: {
        get: (name: string) => outgoing.headers.get(name),
        upsert: ({ key, value }: { readonly key: string; readonly value: string }) =>
          outgoing.headers.set(key, value),
      },
    },
  };
  runInNewContext(script, {
    pm,
    console: { log: (line: string) => said.push(line) },
    require: (name: string) => (name === "crypto-js" ? cryptoJs : undefined),
  });
  return said;
}

/** Bytes, printed in hexadecimal digits, as crypto-js has them. */
class Words {
  readonly bytes: Buffer;
  constructor(text: string, encoding: BufferEncoding) {
    this.bytes = Buffer.from(text, encoding);
  }
  toString(): string {
    return this.bytes.toString("hex");
  }
}

/** What the script takes from crypto-js, a module of Postman's and newman's. */
const cryptoJs = {
  SHA256: (text: string) => new Words(createHash("sha256").update(text).digest("hex"), "hex"),
  HmacSHA256: (data: Words, key: Words) =>
    new Words(createHmac("sha256", key.bytes).update(data.bytes).digest("hex"), "hex"),
  enc: {
    Hex: { parse: (text: string) => new Words(text, "hex") },
    Utf8: { parse: (text: string) => new Words(text, "utf8") },
    Base64: {
      parse: (text: string) => new Words(text, "base64"),
      stringify: ({ bytes }: Words) => bytes.toString("base64"),
    },
  },
};

/** What a script sees of Bruno in its developer mode. Gives what it printed, and whether it skips. */
export function runBruno(
  script: string,
  outgoing: Outgoing,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const said: string[] = [];
  const req = {
    getName: () => "KeyService.CompleteRegisterDevice",
    getBody: (): unknown => outgoing.body,
    setBody: (text: string) => (outgoing.body = text),
    getHeader: (name: string) => outgoing.headers.get(name),
    setHeader: (name: string, value: string) => outgoing.headers.set(name, value),
  };
  const bru = {
    getEnvVar: (name: string) => values.get(name),
    interpolate: (text: string) => withBrunoVariables(text, values),
    runner: { skipRequest: () => said.push("skipped") },
  };
  const console = { log: (line: string) => said.push(line) };
  runInNewContext(script, { req, bru, console, require: createRequire(import.meta.url), Buffer });
  return said;
}

/** The text of a block of a .bru file. */
export function blockOf(file: string, name: string): string {
  const start = file.indexOf(`${name} {\n`) + name.length + 3;
  return file.slice(start, file.indexOf("\n}\n", start)).replaceAll(/^ {2}/gm, "");
}
