import { bracketed, layOut } from "../../print/layout.ts";

/** Which pieces make a file, by its name without `.ts`, each before those that need it. Other pieces stay as they are. */
export type Subjects = Readonly<Record<string, readonly string[]>>;

/**
 * Puts the pieces of a package together to files that are whole subjects, and leaves out what no entry reaches. `pieces`
 * are texts by file name, TypeScript or not; `entries` are the modules that callers import.
 */
export function inSubjects(
  pieces: Readonly<Record<string, string>>,
  wanted: Subjects,
  entries: readonly string[],
): Readonly<Record<string, string>> {
  const { modules, others } = parsed(pieces);
  const subjects = withoutClashes(wanted, modules);
  const reached = reachedFrom(entries, modules);
  const homes = new Map(
    Object.entries(subjects).flatMap(([home, names]) => names.map((name) => [name, home] as const)),
  );
  const homeOf = (name: string): string => homes.get(name) ?? name;
  const files = new Map(
    [...new Set([...homes.values(), ...reached])].map((home) => [
      home,
      (subjects[home] ?? [home]).filter((name) => reached.has(name) && modules.has(name)),
    ]),
  );
  const texts = [...files].flatMap(([home, names]) => {
    if (names.length === 0 || homeOf(home) !== home) return [];
    const isEntry = entries.includes(home);
    return [[`${home}.ts`, fileOf(home, names, { modules, homeOf, isEntry })] as const];
  });
  return { ...others, ...Object.fromEntries(texts) };
}

/**
 * Leaves a piece on its own if a piece before it declares one of its names. In the client of an interface called
 * `service`, the class of its errors is a `ServiceError` beside ours.
 */
function withoutClashes(subjects: Subjects, modules: ReadonlyMap<string, Module>): Subjects {
  return Object.fromEntries(
    Object.entries(subjects).map(([home, names]) => {
      const declared = new Set<string>();
      const together = names.filter((name) => {
        const own = [...(modules.get(name)?.declared.keys() ?? [])];
        const clashes = own.some((each) => declared.has(each));
        if (!clashes) for (const each of own) declared.add(each);
        return !clashes;
      });
      return [home, together];
    }),
  );
}

/** A piece: its statements without imports and re-exports, which are beside them. */
interface Module {
  readonly heading: string;
  readonly imports: readonly Import[];
  readonly reExports: readonly ReExport[];
  readonly body: string;
  /** The names that its own declarations export, each with whether it is a type alone. */
  readonly declared: ReadonlyMap<string, boolean>;
}

interface Import {
  readonly from: string;
  readonly name: string;
  readonly alias: string;
  readonly isType: boolean;
}

interface ReExport {
  readonly from: string;
  /** `*`, `* as money`, or a list of names. */
  readonly clause: string;
  readonly isType: boolean;
}

interface Context {
  readonly modules: ReadonlyMap<string, Module>;
  readonly homeOf: (name: string) => string;
  /** Whether callers import the file itself: then it exports what its last piece does. */
  readonly isEntry: boolean;
}

const importStatement = /^import (type )?(?:\{([^}]*)\}|(\* as \w+)) from "([^"]+)";\n/gm;
const exportStatement = /^export (type )?(?:\{([^}]*)\}|(\*(?: as \w+)?)) from "([^"]+)";\n?/gm;
const declaration =
  /^export (?:declare )?(?:async )?(function\*?|const|let|class|interface|type) ([\p{L}\p{N}_$]+)/gmu;

function parsed(pieces: Readonly<Record<string, string>>) {
  const modules = new Map<string, Module>();
  const others: Record<string, string> = {};
  for (const [file, text] of Object.entries(pieces)) {
    if (file.endsWith(".ts")) modules.set(file.slice(0, -3), moduleOf(text));
    else others[file] = text;
  }
  return { modules, others };
}

function moduleOf(text: string): Module {
  const imports: Import[] = [];
  const reExports: ReExport[] = [];
  const body = text
    .replaceAll(importStatement, (_, type: string | undefined, names = "", star = "", from: string) => {
      const clauses = star === "" ? namesIn(names) : [star];
      for (const clause of clauses) imports.push({ from, isType: type !== undefined, ...aliased(clause) });
      return "";
    })
    .replaceAll(exportStatement, (_, type: string | undefined, names = "", star = "", from: string) => {
      reExports.push({ from, isType: type !== undefined, clause: star === "" ? names : star });
      return "";
    });
  const end = body.indexOf("\n");
  const declared = new Map<string, boolean>();
  for (const [, kind = "", name = ""] of body.matchAll(declaration))
    declared.set(name, (declared.get(name) ?? true) && (kind === "interface" || kind === "type"));
  return {
    heading: body.slice(0, end + 1),
    imports,
    reExports,
    body: body.slice(end + 1).trimEnd(),
    declared,
  };
}

function namesIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function aliased(clause: string): Pick<Import, "name" | "alias"> & { readonly isType?: true } {
  const [, type, name = "", alias = name] = /^(type )?(\S+)(?: as (\S+))?$/.exec(clause) ?? [];
  return { name, alias, ...(type !== undefined && { isType: true }) };
}

/** The piece that an import names; undefined for a package. */
function pieceAt(from: string): string | undefined {
  return from.startsWith("./") ? from.slice(2, -3) : undefined;
}

function reachedFrom(entries: readonly string[], modules: ReadonlyMap<string, Module>): ReadonlySet<string> {
  const reached = new Set(entries.filter((entry) => modules.has(entry)));
  // The set grows while it is walked.
  for (const name of reached) {
    const { imports = [], reExports = [] } = modules.get(name) ?? {};
    for (const { from } of [...imports, ...reExports]) {
      const piece = pieceAt(from);
      if (piece !== undefined) reached.add(piece);
    }
    // What a browser gets in its place.
    if (modules.has(`no-${name}`)) reached.add(`no-${name}`);
  }
  return reached;
}

function fileOf(home: string, names: readonly string[], context: Context): string {
  const own = names.flatMap((name) => {
    const module = context.modules.get(name);
    return module === undefined ? [] : [{ name, module }];
  });
  const heading = own[0]?.module.heading ?? "";
  const bodies = own.map(({ module }) => withOwnNames(module, home, context));
  const exported = context.isEntry ? publicNames(own, home, context) : undefined;
  const [first = "", ...others] = bodies.filter((text) => text.trim() !== "");
  const body = [first, ...others.map((text) => `\n${text.trimStart()}`)].join("\n");
  const modules = own.map(({ module }) => module);
  expectOneMeaning(home, modules, context);
  const links = [importsOf(modules, home, context), reExportsOf(modules, home, context)].join("");
  if (body === "") return `${heading}${links}`;
  const gap = links !== "" && !body.startsWith("\n") ? "\n" : "";
  const text = exported === undefined || own.length === 1 ? body : withPrivate(body, exported);
  return `${heading}${links}${gap}${text}\n`;
}

/** A name that two pieces of a file use for two things is a mistake of ours: the file would not compile. */
function expectOneMeaning(home: string, modules: readonly Module[], { homeOf }: Context): void {
  const meanings = new Map<string, string>();
  const note = (name: string, meaning: string): void => {
    const known = meanings.get(name) ?? meaning;
    if (known !== meaning) throw new Error(`${home}.ts uses ${name} for two things: ${known}, ${meaning}`);
    meanings.set(name, meaning);
  };
  for (const [at, { imports, declared }] of modules.entries()) {
    for (const name of declared.keys()) note(name, `declared in piece ${at + 1}`);
    for (const { from, name, alias } of imports) {
      const file = homeOf(pieceAt(from) ?? from);
      if (file !== home) note(alias, `${name} of ${file}`);
    }
  }
}

/** Another name for what is in the same file gives way to its own. */
function withOwnNames({ body, imports }: Module, home: string, { homeOf }: Context): string {
  const renamed = imports.filter(
    ({ from, name, alias }) => alias !== name && homeOf(pieceAt(from) ?? "") === home,
  );
  return renamed.reduce(
    (text, { name, alias }) => text.replaceAll(new RegExp(String.raw`\b${alias}\b`, "g"), name),
    body,
  );
}

function importsOf(own: readonly Module[], home: string, { homeOf }: Context): string {
  const byPath = new Map<string, Map<string, boolean>>();
  for (const { from, name, alias, isType } of own.flatMap(({ imports }) => imports)) {
    const piece = pieceAt(from);
    const path = piece === undefined ? from : `./${homeOf(piece)}.ts`;
    if (piece !== undefined && homeOf(piece) === home) continue;
    const names = byPath.get(path) ?? new Map<string, boolean>();
    const clause = name === alias ? name : `${name} as ${alias}`;
    byPath.set(path, names.set(clause, (names.get(clause) ?? true) && isType));
  }
  return statements("import", byPath);
}

/** The exports of the file from others, with each name of a piece whose file has more. */
function reExportsOf(own: readonly Module[], home: string, context: Context): string {
  const { homeOf, modules } = context;
  const whole: string[] = [];
  const byPath = new Map<string, Map<string, boolean>>();
  for (const { from, clause, isType } of own.flatMap(({ reExports }) => reExports)) {
    const piece = pieceAt(from) ?? "";
    if (homeOf(piece) === home) continue;
    const path = `./${homeOf(piece)}.ts`;
    if (clause.startsWith("* as ") || (clause === "*" && homeOf(piece) === piece)) {
      whole.push(`export ${isType ? "type " : ""}${clause} from "${path}";\n`);
      continue;
    }
    const names = byPath.get(path) ?? new Map<string, boolean>();
    byPath.set(path, names);
    if (clause === "*")
      for (const [name, isTypeAlone] of modules.get(piece)?.declared ?? []) names.set(name, isTypeAlone);
    else
      for (const each of namesIn(clause)) {
        const { name, alias, isType: isMarked = false } = aliased(each);
        names.set(name === alias ? name : `${name} as ${alias}`, isType || isMarked);
      }
  }
  return [...whole, statements("export", byPath)].join("");
}

function statements(
  keyword: "export" | "import",
  byPath: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
): string {
  const paths = [...byPath].toSorted(
    ([one], [other]) =>
      Number(one.startsWith("./")) - Number(other.startsWith("./")) || (one < other ? -1 : 1),
  );
  return paths
    .map(([path, names]) => {
      const areTypes = [...names.values()].every(Boolean);
      const clauses = [...names]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, isType]) => (isType && !areTypes ? `type ${name}` : name));
      if (clauses[0]?.startsWith("* as ") === true)
        return `${keyword} ${areTypes ? "type " : ""}${clauses[0]} from "${path}";\n`;
      return `${layOut([`${keyword} ${areTypes ? "type " : ""}`, bracketed("{", "}", clauses), ` from "${path}";`])}\n`;
    })
    .join("");
}

/** The names that an entry offers: what its last piece declares or exports of others. */
function publicNames(
  own: readonly { readonly name: string; readonly module: Module }[],
  home: string,
  { modules }: Context,
): ReadonlySet<string> {
  const { declared = new Map(), reExports = [] } = own.find(({ name }) => name === home)?.module ?? {};
  const others = reExports.flatMap(({ from, clause }) =>
    clause === "*"
      ? [...(modules.get(pieceAt(from) ?? "")?.declared.keys() ?? [])]
      : namesIn(clause).map((each) => aliased(each).name),
  );
  return new Set([...declared.keys(), ...others]);
}

function withPrivate(body: string, exported: ReadonlySet<string>): string {
  return body.replaceAll(declaration, (statement, _kind: string, name: string) =>
    exported.has(name) ? statement : statement.replace("export ", ""),
  );
}
