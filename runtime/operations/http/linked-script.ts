import { posix } from "node:path";

/** Reads a module as a browser takes it, without types; undefined if it does not exist. */
export type ReadModule = (file: string) => Promise<string | undefined>;

/**
 * A module with all that it imports, as one module: a page of sixty modules is one request. It knows named imports
 * and exports at the begin of a line. It knows no default, no cycle and no `export let`. Undefined where there is no such module.
 */
export async function linkedScript(entry: string, read: ReadModule): Promise<string | undefined> {
  const names = new Map<string, string>();
  const parts: string[] = [];
  const add = async (file: string): Promise<string | undefined> => {
    const known = names.get(file);
    if (known === "") throw new Error(`${file} imports itself by way of others`);
    if (known !== undefined) return known;
    const text = await read(file);
    if (text === undefined) return undefined;
    names.set(file, "");
    for (const [, path = ""] of text.matchAll(sources)) {
      const imported = posix.join(posix.dirname(file), path);
      if ((await add(imported)) === undefined) throw new Error(`${file} imports ${path}, which is not there`);
    }
    const nameOf = (path: string): string => names.get(posix.join(posix.dirname(file), path)) ?? "";
    const place = posix.relative(posix.dirname(entry), file);
    const { body, exported } = linked(text, nameOf, place);
    const name = `module${parts.length}`;
    const members = exported.map(([member, value]) =>
      member === "" ? `...${value}` : `get ${member}() { return ${value}; }`,
    );
    parts.push(`const ${name} = (() => {\n${body}\nreturn { ${members.join(", ")} };\n})();\n`);
    names.set(file, name);
    if (file === entry) {
      const own = exported.map(([member]) => member).filter((member) => member !== "");
      if (own.length > 0) parts.push(`export const { ${own.join(", ")} } = ${name};\n`);
    }
    return name;
  };
  return (await add(entry)) === undefined ? undefined : parts.join("");
}

/** The paths of what a module imports, or exports of others. */
const sources = /^(?:import|export)\b[^"';]*?["'](\.{1,2}\/[^"']+)["'];/gm;

const imports = /^import\s+(?:\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*["'](\.[^"']+)["'];/gm;
const bareImports = /^import\s+["']\.[^"']+["'];/gm;
const exportsOfOthers = /^export\s+(?:\*(?:\s*as\s+(\w+))?|\{([^}]*)\})\s*from\s*["'](\.[^"']+)["'];/gm;
const exportLists = /^export\s+\{([^}]*)\};/gm;
const declarations = /^export\s+((?:async\s+)?function\*?|class|const)\s+(\w+)/gm;

/** A name that a module exports, and what it is within the module; without a name, all that another module exports. */
type Exported = readonly [name: string, value: string];

/** The body of a function that does what the module does, and what it exports. */
function linked(
  text: string,
  nameOf: (path: string) => string,
  place: string,
): { readonly body: string; readonly exported: readonly Exported[] } {
  const exported: Exported[] = [];
  const body = text
    .replaceAll(exportsOfOthers, (_, all: string | undefined, list: string | undefined, path: string) => {
      const from = nameOf(path);
      if (list === undefined) exported.push([all ?? "", from]);
      else exported.push(...namesIn(list).map(([name, as]): Exported => [as, `${from}.${name}`]));
      return "";
    })
    .replaceAll(imports, (_, all: string | undefined, list: string | undefined, path: string) => {
      const named = namesIn(list ?? "").map(([name, as]) => (name === as ? name : `${name}: ${as}`));
      return `const ${all ?? `{ ${named.join(", ")} }`} = ${nameOf(path)};`;
    })
    .replaceAll(bareImports, "")
    .replaceAll(exportLists, (_, list: string) => {
      exported.push(...namesIn(list).map(([name, as]): Exported => [as, name]));
      return "";
    })
    .replaceAll(declarations, (_, kind: string, name: string) => {
      exported.push([name, name]);
      return `${kind} ${name}`;
    })
    .replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`);
  const left = /^(?:import\s[^;]*["']\.{1,2}\/|export\s).*/m.exec(body);
  if (left !== null) throw new Error(`${place}: ${left[0]} cannot be linked`);
  return { body, exported };
}

/** `a, b as c` as pairs. */
function namesIn(list: string): readonly Exported[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [name = "", as = name] = each.split(/\s+as\s+/);
      return [name, as];
    });
}
