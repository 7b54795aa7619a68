import type { RenderedFile } from "../render.ts";
import type { HandlerPath } from "./handler-paths.ts";
import type { Renames } from "./renames.ts";

const declaration = /^export (?:declare )?(?:type|interface|const|function|class) ([\p{ID_Continue}$]+)/gmu;

/**
 * The things that hand-written files may call by a name or a path of before: generated types, and handlers that move in
 * this run. A generated name counts as gone only where its module does not export it: so nothing needs to be
 * remembered.
 */
export function renamesOf(
  rendered: readonly RenderedFile[],
  types: ReadonlyMap<string, string>,
  handlerPaths: readonly HandlerPath[],
): Renames {
  const owned = new Map(
    rendered.filter(({ ownership }) => ownership === "owned").map((file) => [file.path, file]),
  );
  const exported = new Map<string, ReadonlySet<string>>();
  const exportsOf = (path: string): ReadonlySet<string> => {
    const known = exported.get(path);
    if (known !== undefined) return known;
    const names = [...(owned.get(path)?.text ?? "").matchAll(declaration)].map(([, name = ""]) => name);
    exported.set(path, new Set(names));
    return new Set(names);
  };
  const moved = new Map(
    handlerPaths
      .filter(({ kind }) => kind === "elsewhere")
      .map((handlerPath) => [handlerPath.from, handlerPath]),
  );
  return {
    nameOf(module, name) {
      const handlerPath = moved.get(module);
      if (handlerPath !== undefined)
        return handlerPath.before?.export === name && name !== handlerPath.wanted.parts.export
          ? handlerPath.wanted.parts.export
          : undefined;
      const present = types.get(name);
      if (present === undefined || !owned.has(module)) return undefined;
      const names = exportsOf(module);
      return !names.has(name) && names.has(present) ? present : undefined;
    },
    placeOf: (module) => moved.get(module)?.wanted.stub.path,
  };
}
