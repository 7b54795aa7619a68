import { payloadShapes } from "../../model/resolve.ts";
import type { PayloadModel } from "../../model/service-model.ts";

/**
 * The optional fields of a payload that the text of a handler's file names nowhere: what callers send there has no
 * effect. None where the payload goes to another module as a whole, because that one may read them.
 */
export function unreadFields(text: string, exportName: string, payload: PayloadModel): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const shapes = payloadShapes(payload);
  const optional = shapes.flatMap(({ fields }) =>
    fields.flatMap(({ name, presence }) => (presence.kind === "required" ? [] : [name])),
  );
  const named = new Set(code.match(/[\p{ID_Continue}$]+/gu));
  const isNamed = (name: string) =>
    named.has(name) || (/[^\p{ID_Continue}$]/u.test(name) && code.includes(name));
  const unread = [...new Set(optional)].filter((name) => !isNamed(name));
  return unread.length === 0 || isPassedOn(code, exportName) ? [] : unread;
}

/** Whether the payload, or what is left of it after some fields were taken out, is used as a whole. */
function isPassedOn(code: string, exportName: string): boolean {
  const name = escaped(exportName);
  const opening = String.raw`(?:function\s+${name}|const\s+${name}\s*(?::[^=]*)?=\s*(?:async\b)?(?:\s*function\b)?)\s*`;
  const parameter = new RegExp(String.raw`\b${opening}\(\s*(\{[^}]*\}|[\p{ID_Continue}$]+)`, "u").exec(code);
  const [all = "", payload = ""] = parameter ?? [];
  if (parameter === null) return true;
  if (payload.startsWith("{")) return payload.includes("...");
  const body = code.slice(parameter.index + all.length);
  const use = new RegExp(
    String.raw`(?<![\p{ID_Continue}$]|(?<!\.\.)\.)${escaped(payload)}(?![\p{ID_Continue}$])`,
    "gu",
  );
  return [...body.matchAll(use)].some(({ index }) => {
    if (/^\s*(?:\?\.|\.|\[\s*["'])/.test(body.slice(index + payload.length))) return false;
    const before = body.slice(0, index);
    return !/\{[^{}.]*\}\s*=\s*$/.test(before) && !isArgumentOfOwn(before, code);
  });
}

/** Whether what follows is an argument of a function of the same file: the fields that this one reads are named there. */
function isArgumentOfOwn(before: string, code: string): boolean {
  const callee = /([\p{ID_Start}_$][\p{ID_Continue}$]*)\s*\([^()]*$/u.exec(before)?.[1];
  return callee !== undefined && new RegExp(`\\bfunction\\s+${escaped(callee)}\\b`).test(code);
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
