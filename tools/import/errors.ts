import { omitUndefined } from "../../conformance/omit-undefined.ts";
import { cannotSay, refuse, type Dropped, type Owner } from "./findings.ts";
import type { Conversion } from "./flatten.ts";
import { canonicalText, listOf, memberOf, textOf, type Json } from "./json.ts";
import { followed } from "./follow.ts";
import type { Written } from "./print-types.ts";
import { inside, type Site } from "./sources.ts";

/** The errors of one import, each described once, by name. */
export interface ErrorTable {
  /** The names of a method's errors; errors with codes of the protocol's own are carried along. */
  of(method: Site, owner: Owner, isAnswered: boolean): ErrorsOfMethod;
  all(): Readonly<Record<string, Written>>;
}

export interface ErrorsOfMethod {
  readonly names: readonly string[];
  readonly extra: Record<string, Json>;
  /** The errors that no caller would ever get. */
  readonly dropped?: Dropped;
}

export function createErrorTable(conversion: Conversion): ErrorTable {
  const byContent = new Map<string, string>();
  const definitions: Record<string, Written> = {};
  return {
    all: () => definitions,
    of(method, owner, isAnswered) {
      const names = new Set<string>();
      const standard: Json[] = [];
      const lost: Json[] = [];
      listOf(method.value, "errors").forEach((_, index) => {
        const error = followed(inside(method, "errors", index), conversion, owner);
        const code = memberOf(error.value, "code");
        const message = textOf(error.value, "message");
        if (typeof code !== "number" || !Number.isSafeInteger(code) || message === undefined) {
          return refuse(error, "an error has a whole number as code, and a message", owner);
        }
        if (isReserved(code)) standard.push(error.value);
        else if (isAnswered) names.add(named(error, code, message));
        else lost.push(error.value);
      });
      if (lost.length > 0)
        cannotSay(
          inside(method, "errors"),
          "a method without a result is a notification, which has no answer and so no error",
          { owner, lossy: conversion.lossy },
        );
      return omitUndefined({
        names: [...names],
        extra: standard.length === 0 ? {} : { errors: standard },
        dropped: lost.length === 0 ? undefined : { errors: lost },
      });
    },
  };

  function named(error: Site, code: number, message: string): string {
    const data = memberOf(error.value, "data");
    const content = canonicalText([code, message, data ?? null, data === undefined]);
    const known = byContent.get(content);
    if (known !== undefined) return known;
    const key = /^\/components\/errors\/([^/]+)$/.exec(error.pointer)?.[1];
    const base =
      key !== undefined && isErrorName(key) ? key : `ERROR_${code < 0 ? "MINUS_" : ""}${Math.abs(code)}`;
    let name = base;
    for (let n = 2; Object.hasOwn(definitions, name); n += 1) name = `${base}_${n}`;
    byContent.set(content, name);
    definitions[name] = omitUndefined({ code, message, "x-data": data });
    return name;
  }
}

/** Codes that the protocol gives itself (JSON-RPC 2.0, section 5.1): no handler throws them. */
function isReserved(code: number): boolean {
  return code === -32700 || (code >= -32603 && code <= -32600);
}

function isErrorName(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{M}\p{N}_$.-]*$/u.test(name) && name !== "__proto__";
}
