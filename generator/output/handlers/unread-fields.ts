import { payloadShapes, resolve } from "../../model/resolve.ts";
import type { ObjectTypeShape, PayloadModel, ServiceModel, Shape } from "../../model/service-model.ts";

/**
 * The optional fields of a payload that the text of a handler's file names nowhere: what callers send there has no
 * effect. None if the payload goes to another module as a whole, because that one may read them. The same holds for
 * an object in the payload. `address.county` is a field of such an object.
 */
export function unreadFields(
  text: string,
  exportName: string,
  payload: PayloadModel,
  model: ServiceModel,
): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const shapes = payloadShapes(payload);
  const named = wordsOf(code);
  const read = wordsOf(code.replaceAll(/\/\/.*$/gm, ""));
  const isNamed = (name: string) =>
    named.has(name) || (/[^\p{ID_Continue}$]/u.test(name) && code.includes(name));
  const opening = openingOf(code, exportName);
  const used = withoutPatterns(opening === undefined ? code : withoutParameter(code, opening));
  const within = (shape: Shape, path: string, above: readonly Shape[]): readonly string[] => {
    const object = resolve(model, shape);
    return object.kind !== "object" || above.includes(object) ? [] : unreadOf(object, path, above);
  };
  const unreadOf = (object: ObjectTypeShape, path: string, above: readonly Shape[]): readonly string[] =>
    object.fields.flatMap(({ name, presence, shape }) => {
      if (!isNamed(name)) return presence.kind === "required" ? [] : [path + name];
      return !read.has(name) || isUsedAsWhole(used, name)
        ? []
        : within(shape, `${path}${name}.`, [...above, object]);
    });
  const unread = [...new Set(shapes.flatMap((shape) => unreadOf(shape, "", [])))];
  return unread.length === 0 || opening === undefined || isPassedOn(code, opening) ? [] : unread;
}

function wordsOf(code: string): ReadonlySet<string> {
  return new Set(code.match(/[\p{ID_Continue}$]+/gu));
}

/** Where a handler begins, and how it takes its payload: a name, or a pattern. */
interface Opening {
  readonly end: number;
  readonly payload: string;
}

/** Undefined where another file holds the handler. */
function openingOf(code: string, exportName: string): Opening | undefined {
  const name = escaped(exportName);
  const opening = String.raw`(?:function\s+${name}|const\s+${name}\s*(?::[^=]*)?=\s*(?:async\b)?(?:\s*function\b)?)\s*`;
  const parameter = new RegExp(String.raw`\b${opening}\(\s*(\{[^}]*\}|[\p{ID_Continue}$]+)`, "u").exec(code);
  const [all = "", payload = ""] = parameter ?? [];
  return parameter === null ? undefined : { end: parameter.index + all.length, payload };
}

/** Whether the payload, or what is left of it after some fields were taken out, is used as a whole. */
function isPassedOn(code: string, { end, payload }: Opening): boolean {
  if (payload.startsWith("{")) return payload.includes("...");
  return usesAsWhole(code.slice(end), payload).some(
    (before) => !/\{[^{}.]*\}\s*=\s*$/.test(before) && !isArgumentOfOwn(before, code),
  );
}

function withoutParameter(code: string, { end, payload }: Opening): string {
  return payload.includes(":") ? code : code.slice(0, end - payload.length) + code.slice(end);
}

/** The code without what takes members out of an object by their names: what is named there is not used as a whole. */
function withoutPatterns(code: string): string {
  return code.replaceAll(/\b(?:const|let)\s*\{[^{}.:]*\}\s*=\s*[\p{ID_Continue}$.?]+\s*;/gu, ";");
}

/** Whether an object that the payload holds is used as a whole, and not member by member. */
function isUsedAsWhole(code: string, name: string): boolean {
  const member = new RegExp(String.raw`\.\s*${escaped(name)}(?![\p{ID_Continue}$])`, "gu");
  return usesAsWhole(code.replaceAll(member, ` ${name}`), name).length > 0;
}

/** The text before each use of a name without one of its members. */
function usesAsWhole(code: string, name: string): readonly string[] {
  const use = new RegExp(
    String.raw`(?<![\p{ID_Continue}$]|(?<!\.\.)\.)${escaped(name)}(?![\p{ID_Continue}$])`,
    "gu",
  );
  return [...code.matchAll(use)].flatMap(({ index }) =>
    /^\s*(?:\?\.|\.|\[\s*["'])/.test(code.slice(index + name.length)) ? [] : [code.slice(0, index)],
  );
}

/** Whether what follows is an argument of a function of the same file: the fields that this one reads are named there. */
function isArgumentOfOwn(before: string, code: string): boolean {
  const callee = /([\p{ID_Start}_$][\p{ID_Continue}$]*)\s*\([^()]*$/u.exec(before)?.[1];
  return callee !== undefined && new RegExp(`\\bfunction\\s+${escaped(callee)}\\b`).test(code);
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
