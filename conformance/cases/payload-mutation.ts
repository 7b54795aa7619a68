import { absent, type JsonPath, type Mutation } from "../samples/index.ts";
import type { Edit } from "../suite/case.ts";
import { pathGroups } from "../suite/shape.ts";
import type { Level, MethodEntry } from "../suite/suite.ts";
import type { ObjectShape, Problem } from "../values/index.ts";
import { documentedIn } from "./documented-in.ts";
import { pointerOf } from "./request-reading.ts";

/** Whether the document states it literally: a value of an enum, an absent optional field. */
export function isPlainPositive(what: string): boolean {
  return /^(?:value |absent|true$|false$)/.test(what);
}

export function levelOfProblem(
  { kind, field, at, found }: Problem,
  method: MethodEntry,
  shape: ObjectShape,
): Level {
  if (method.section === undefined) return "decisions";
  if (kind === "absent") return "document";
  // The tables say which fields are texts; of what may be left out a service may take no notice.
  if (kind === "type" && typeof found === "number" && field?.presence.kind === "required") {
    const isWhole = shape.fields.includes(field) && field.shape.kind === "string";
    return isWhole ? "document" : "decisions";
  }
  if (kind === "group") {
    const first = pathGroups(shape)
      .flat()
      .map(([name]) => name);
    const grouped: readonly unknown[] = [...[...shape.atLeastOneOf, ...shape.exactlyOneOf].flat(), ...first];
    const fields = shape.fields.filter(({ name }) => grouped.includes(name));
    return at === "" && fields.some(({ decisions }) => decisions.length === 0) ? "document" : "decisions";
  }
  if (kind === "empty") {
    return "documented" in documentedIn(method, "BAD_INPUT") ? "document" : "decisions";
  }
  return kind === "value" && field?.decisions.length === 0 ? "document" : "decisions";
}

/** The changed part that a description begins with: what goes with it is its condition. */
export function aboutOf(description: string, parts: Mutation["parts"]): JsonPath | undefined {
  return parts.map(([path]) => path).find((path) => description.startsWith(`${path.join(".")}: `));
}

export function nameOf(path: JsonPath): readonly string[] {
  return path.length === 0 ? [] : [path.join(".")];
}

export function editOf(path: JsonPath, value: unknown): Edit {
  return value === absent ? { op: "omit", at: pointerOf(path) } : { op: "set", at: pointerOf(path), value };
}
