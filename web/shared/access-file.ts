import { isObject, textOf, type JsonObject } from "./json.ts";

/** What a file that a reader chose says of a caller. */
export type AccessFile =
  | { readonly kind: "key"; readonly pem: string }
  | {
      readonly kind: "caller";
      readonly userName: string;
      readonly apiKey: string;
      readonly keyId: string;
      readonly pem: string;
      /** The file with the key, where the access file names one in place of it. */
      readonly keyFile: string;
    }
  | { readonly kind: "neither"; readonly message: string };

/**
 * Reads a PEM, or an access file in JSON or in the YAML that the command prints which adds a user. `member` holds the caller in
 * a file that has several.
 */
export function readAccessFile(text: string, member?: string): AccessFile {
  if (/^\s*-----BEGIN [A-Z ]+-----/m.test(text) && !text.trimStart().startsWith("{") && !/^\w+:/m.test(text))
    return { kind: "key", pem: text };
  const file = text.trimStart().startsWith("{") ? jsonIn(text) : yamlIn(text);
  if (file === undefined)
    return { kind: "neither", message: "This file is neither a PEM nor an access file in JSON or YAML." };
  const inner = member === undefined ? undefined : file[member];
  const own = isObject(inner) ? inner : file;
  const caller = {
    userName: textOf(own["userName"]),
    apiKey: textOf(own["apiKey"]),
    keyId: textOf(own["keyId"]),
    pem: textOf(own["privateKeyPem"]),
    keyFile: textOf(own["privateKeyFile"]),
  };
  if (Object.values(caller).every((value) => value === ""))
    return {
      kind: "neither",
      message: "This file is no access file: it has none of userName, apiKey, keyId and privateKeyPem.",
    };
  return { kind: "caller", ...caller };
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Texts by their names, blocks (`|`) and one level of nesting: access files have no more. Undefined for anything else. */
function yamlIn(text: string): JsonObject | undefined {
  const root: Record<string, JsonObject | string> = {};
  let nested: Record<string, string> | undefined;
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (/^\s*(#.*)?$/.test(line) || line === "---") continue;
    const [, indent = "", name, rest = ""] = /^( *)([\w$-]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === undefined || (indent !== "" && nested === undefined)) return undefined;
    let value: string | undefined;
    if (/^[|>][+-]?\s*$/.test(rest)) {
      const block: string[] = [];
      while (/^\s*$/.test(lines[at + 1] ?? "x") || (lines[at + 1] ?? "").startsWith(`${indent} `)) {
        block.push((lines[at + 1] ?? "").trim());
        at += 1;
      }
      value = block.join("\n").trimEnd();
    } else value = scalarIn(rest);
    if (indent === "") nested = value === undefined ? {} : undefined;
    if (indent !== "" && nested !== undefined && value !== undefined) nested[name] = value;
    else if (indent === "") root[name] = value ?? nested ?? {};
  }
  return root;
}

/** Undefined where nothing is written. */
function scalarIn(written: string): string | undefined {
  const text = written.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(#.*)?$/.exec(text)?.[1];
  if (quoted !== undefined) return textOf(jsonIn(`{"text":"${quoted}"}`)?.["text"]);
  const single = /^'((?:[^']|'')*)'\s*(#.*)?$/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = text.replace(/(^|\s)#.*$/, "").trim();
  return plain === "" ? undefined : plain;
}
