import { documentedTypes } from "./spec-claims.ts";
import type { SpecFiles } from "./spec-files.ts";

export interface Removal {
  readonly what: string;
  /** The spec without it. */
  readonly without: () => SpecFiles;
}

type Path = readonly (string | number)[];

/** Every single thing in a spec that the document has: each field, enum value, error, transition and so on. */
export function removalsFrom(spec: SpecFiles): readonly Removal[] {
  return documentedPaths(spec).map((path) => ({
    what: path.join("."),
    without: () => {
      const copy = structuredClone(spec);
      removeAt(copy, path);
      return copy;
    },
  }));
}

function documentedPaths(spec: SpecFiles): readonly Path[] {
  const types = [...documentedTypes(spec)].map((name): Path => ["types", name]);
  const errors = Object.entries(spec.errors).filter(([, error]) => error.section === "7");
  const { services, auth } = spec.interface;
  return [
    ...types.flatMap((type) => pathsIn(spec, type)),
    ...keysAt(["methods"], spec.methods).flatMap((method) => [method, ...pathsIn(spec, method)]),
    ...errors.map(([code]): Path => ["errors", code]),
    ...keysAt(["events"], spec.events),
    ...keysAt(["states"], spec.states).flatMap((state) => [state, ...pathsIn(spec, state)]),
    ...keysAt(["interface", "services"], services),
    ...keysAt(["interface", "auth", "members"], auth?.members ?? {}),
    ...keysAt(["interface", "auth", "headers"], auth?.headers ?? {}),
  ];
}

function keysAt(path: Path, map: object): readonly Path[] {
  return Object.keys(map).map((key) => [...path, key]);
}

/** Items of the lists that the document enumerates, at any depth. */
function pathsIn(root: unknown, path: Path): readonly Path[] {
  const node = at(root, path);
  if (typeof node !== "object" || node === null) return [];
  const isEnumerated = ["fields", "enum", "auth", "transitions", "atLeastOneOf", "spellings"].includes(
    String(path.at(-1)),
  );
  return Object.keys(node).flatMap((key) => {
    const inner: Path = [...path, Array.isArray(node) ? Number(key) : key];
    return [...(isEnumerated && isDocumented(at(root, inner)) ? [inner] : []), ...pathsIn(root, inner)];
  });
}

/** A transition that no operation triggers is by decision. */
function isDocumented(item: unknown): boolean {
  return !(typeof item === "object" && item !== null && "from" in item && !("by" in item));
}

function at(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null
        ? Object.entries(node).find(([each]) => each === String(key))?.[1]
        : undefined,
    root,
  );
}

function removeAt(root: unknown, path: Path): void {
  const holder = at(root, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (typeof holder === "object" && holder !== null && key !== undefined)
    Reflect.deleteProperty(holder, key);
}
