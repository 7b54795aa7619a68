import { existsSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { diagnosticOf, type Diagnostic, type Result } from "../language/diagnostics/index.ts";
import { sourceText } from "../language/source/index.ts";
import { parseYaml, type MapNode, type Node } from "../language/syntax/index.ts";
import { projectFolder, type ProjectFolder } from "../output/folder.ts";
import { closest } from "../../conformance/base/closest.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { emitterNames } from "../targets/index.ts";
import { importExtensionOf } from "./import-extension.ts";

/** The specs of a project and their targets. Paths are relative to `root`, with forward slashes. */
export interface ProjectConfig {
  /** The config file, absolute. */
  readonly file: string;
  /** Its folder. */
  readonly root: string;
  readonly specs: readonly SpecTarget[];
  /** A module of the project, or a package and what it exports: `ledger-rpc-runtime/contract`. */
  readonly contract: string;
  /** Names of the emitters that are wanted; all if undefined. */
  readonly targets: readonly string[] | undefined;
  /** Modules of the project among the targets, relative to `root`; each exports an `emitter`. */
  readonly emitters: readonly string[];
  /** Names of the targets that `generate` leaves out: they are built when something needs them. */
  readonly built: readonly BuiltTarget[];
  /** Undefined where modules import each other by `.ts`. */
  readonly importExtension: ".js" | undefined;
}

export interface SpecTarget {
  readonly spec: string;
  readonly out: string;
  readonly handlers: string;
  /** Names of the emitters that are wanted; those of the config if absent. */
  readonly targets?: readonly string[];
  /** Modules of the project among its own `targets`; those of the config if absent. */
  readonly emitters?: readonly string[];
  /** What `generate` leaves out of this spec, beside the config's. */
  readonly built?: readonly BuiltTarget[];
  /** True where it has `targets` of its own and no folder of handlers: the generator writes none. */
  readonly handlersElsewhere?: true;
  /** Files of Markdown that the reference pages show beside their own; none if absent. */
  readonly guides?: readonly string[];
  /** Folders of code whose calls are held against the spec; none if absent. */
  readonly calls?: readonly string[];
}

export const configFile = "ledger-rpc.yaml";

/** Where generated code finds the few types that it shares with the runtime, unless the config says otherwise. */
export const contractPackage = "ledger-rpc-runtime/contract";

/** Targets that write into the folder of handlers. */
const handlerTargets = ["handlers", "revisions"];

/** Targets that no generated code imports: folders below `out`, or documents such as `openrpc.json` there. */
const builtTargets = ["conformance", "json-schema", "openrpc", "reference"] as const;

export type BuiltTarget = (typeof builtTargets)[number];

/** The name of a package, with or without a path of what it exports: it ends in no extension of a module. */
const packageSpecifier = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:\/[\w.~-]+)*(?<!\.[cm]?[jt]s)$/;

/** The config file that is meant: the one given, or the nearest one from a folder upwards. Undefined if none. */
export function findConfig(from: string, given: string | undefined): string | undefined {
  if (given !== undefined) return existsSync(resolve(from, given)) ? resolve(from, given) : undefined;
  const path = join(from, configFile);
  if (existsSync(path)) return path;
  return dirname(from) === from ? undefined : findConfig(dirname(from), undefined);
}

/**
 * The purpose of reading a config. To `generate`, each spec needs its folders; to `read` the specs, it needs none; to
 * `add` a spec, its folder may be missing.
 */
export type ConfigUse = "generate" | "read" | "add";

/** Reads and checks a config file. Every mistake is reported, with its place. */
export function loadConfig(path: string, use: ConfigUse = "generate"): Result<ProjectConfig> {
  const root = dirname(path);
  const name = path.slice(root.length + 1);
  const folder = projectFolder(root);
  const text = folder.read(name)?.toString() ?? "";
  const { value: node, diagnostics: syntax } = parseYaml(sourceText(name, text));
  if (node === undefined) return { diagnostics: syntax.map(asError) };
  const reader: ConfigReader = { folder, use, diagnostics: [], claimed: [] };
  const config = readConfig(reader, path, node);
  const diagnostics = [...syntax, ...reader.diagnostics];
  return config === undefined || diagnostics.length > 0 ? { diagnostics } : { value: config, diagnostics };
}

/** An empty config is no mistake of YAML, but nothing can be generated from it. */
function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error" };
}

/** State shared by the functions below while they read one config file. */
interface ConfigReader {
  readonly folder: ProjectFolder;
  readonly use: ConfigUse;
  readonly diagnostics: Diagnostic[];
  /** Folders that a spec has taken: no other may lie in them or around them. */
  readonly claimed: string[];
}

function readConfig(reader: ConfigReader, file: string, node: Node): ProjectConfig | undefined {
  if (node.kind !== "map") {
    reportType(reader, node, "the config", "a mapping with `specs`");
    return undefined;
  }
  const values = readFields(reader, node, ["specs"], ["built", "contract", "targets"]);
  const list = values.get("specs");
  if (list !== undefined && (list.kind !== "list" || list.items.length === 0))
    reportType(reader, list, "`specs`", "a list of at least one spec");
  const { names, modules: emitters } = withoutModules(reader, values.get("targets"));
  const targets = readNames(reader, "targets", names, emitterNames());
  const built = readNames(reader, "built", values.get("built"), builtTargets) ?? [];
  const hasHandlers = targets?.some((target) => handlerTargets.includes(target)) ?? true;
  const specs = list?.kind === "list" ? list.items.map((item) => readTarget(reader, item, hasHandlers)) : [];
  const contract = readContract(reader, values.get("contract"));
  const { root } = reader.folder;
  return contract === undefined
    ? undefined
    : {
        file,
        root,
        specs: specs.filter((each) => each !== undefined),
        contract,
        targets,
        emitters,
        built,
        importExtension: importExtensionOf(root),
      };
}

/** A file of the project, or what a package exports. Undefined where it is reported. */
function readContract(reader: ConfigReader, node: Node | undefined): string | undefined {
  if (node === undefined) return contractPackage;
  const value = node.kind === "scalar" && typeof node.value === "string" ? node.value : "";
  const isHere = existsSync(join(reader.folder.root, value));
  if (packageSpecifier.test(value) && !isHere) return value;
  const path = readPath(reader, "contract", node);
  if (path === undefined || reader.use === "read") return path;
  if (/\.[cm]?[jt]s$/.test(path)) return existing(reader, "file", path, node);
  reader.diagnostics.push(
    diagnosticOf("config-path-not-found", { path, kind: "module" }, { span: node.span }),
  );
  return undefined;
}

function isModule(item: Node): boolean {
  return item.kind === "scalar" && typeof item.value === "string" && /^\.{1,2}\//.test(item.value);
}

/** Targets that are modules of the project: paths, which begin with `./`; and the others. */
function withoutModules(
  reader: ConfigReader,
  node: Node | undefined,
): { readonly names: Node | undefined; readonly modules: readonly string[] } {
  if (node?.kind !== "list") return { names: node, modules: [] };
  const modules = node.items.filter(isModule).flatMap((item) => {
    const path = readPath(reader, "targets", item);
    if (path === undefined) return [];
    return (reader.use === "generate" ? existing(reader, "module", path, item) : path) ?? [];
  });
  return { names: { ...node, items: node.items.filter((item) => !isModule(item)) }, modules };
}

/** The targets that a list names; undefined where there is no list. */
function readNames<Name extends string>(
  reader: ConfigReader,
  key: string,
  node: Node | undefined,
  known: readonly Name[],
): readonly Name[] | undefined {
  if (node === undefined) return undefined;
  const wanted = `a list of at least one of ${known.join(", ")}`;
  if (node.kind !== "list" || (node.items.length === 0 && key !== "targets")) {
    reportType(reader, node, `\`${key}\``, wanted);
    return undefined;
  }
  return node.items.flatMap((item): readonly Name[] => {
    const name = item.kind === "scalar" ? String(item.value) : "";
    const found = known.find((each) => each === name);
    if (found !== undefined) return [found];
    const params = { name, known, suggestion: closest(name, known) };
    reader.diagnostics.push(diagnosticOf("config-unknown-target", params, { span: item.span }));
    return [];
  });
}

function readTarget(reader: ConfigReader, node: Node, hasHandlers: boolean): SpecTarget | undefined {
  if (node.kind !== "map") {
    reportType(reader, node, "each of `specs`", "a mapping with `spec`, `out` and `handlers`");
    return undefined;
  }
  const hasOwnTargets = node.entries.some(({ key }) => key === "targets");
  const needsHandlers = hasHandlers && !hasOwnTargets;
  const needed = reader.use === "read" ? ["spec"] : ["spec", "out", ...(needsHandlers ? ["handlers"] : [])];
  const values = readFields(reader, node, needed, ["out", "handlers", "guides", "calls", "targets", "built"]);
  const { names, modules } = withoutModules(reader, values.get("targets"));
  const targets = readNames(reader, "targets", names, emitterNames());
  const built = readNames(reader, "built", values.get("built"), builtTargets);
  const guides = readPaths(reader, "guides", values.get("guides"), "file", "a list of Markdown files");
  const calls = readPaths(reader, "calls", values.get("calls"), "folder", "a list of folders of code");
  const folder = (key: string) => claim(reader, readPath(reader, key, values.get(key)), values.get(key));
  const named = folder("spec");
  const spec = reader.use === "add" ? named : existing(reader, "folder", named, values.get("spec"));
  // Nothing is written where a folder is not needed.
  const out = needed.includes("out") || values.has("out") ? folder("out") : `generated/${spec}`;
  const handlers =
    needed.includes("handlers") || values.has("handlers") ? folder("handlers") : `${out}/handlers`;
  return spec === undefined || out === undefined || handlers === undefined
    ? undefined
    : {
        spec,
        out,
        handlers,
        ...omitUndefined({ targets, built }),
        ...(hasOwnTargets && { emitters: modules }),
        ...(hasOwnTargets && !values.has("handlers") && { handlersElsewhere: true }),
        ...(guides.length > 0 && { guides }),
        ...(calls.length > 0 && { calls }),
      };
}

/** A list of paths at which something is; none where there is no list. */
function readPaths(
  reader: ConfigReader,
  key: string,
  node: Node | undefined,
  kind: "file" | "folder",
  wanted: string,
): readonly string[] {
  if (node === undefined) return [];
  if (node.kind !== "list") {
    reportType(reader, node, `\`${key}\``, wanted);
    return [];
  }
  return node.items.flatMap((item) => {
    const path = readPath(reader, key, item);
    return (path === undefined ? undefined : existing(reader, kind, path, item)) ?? [];
  });
}

function readFields(
  { diagnostics }: ConfigReader,
  map: MapNode,
  required: readonly string[],
  optional: readonly string[] = [],
): ReadonlyMap<string, Node> {
  const known = [...new Set([...required, ...optional])];
  const values = new Map(map.entries.map(({ key, value }) => [key, value]));
  for (const { key, keySpan } of map.entries) {
    if (known.includes(key)) continue;
    const params = { key, known, suggestion: closest(key, known) };
    diagnostics.push(diagnosticOf("config-unknown-key", params, { span: keySpan }));
  }
  for (const key of required) {
    if (!values.has(key)) diagnostics.push(diagnosticOf("config-missing-key", { key }, { span: map.span }));
  }
  return values;
}

/** A path below the config's folder, without `.` and `..`. */
function readPath(reader: ConfigReader, key: string, node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== "scalar" || typeof node.value !== "string" || node.value === "") {
    reportType(reader, node, `\`${key}\``, "a path");
    return undefined;
  }
  const normal = posix.normalize(node.value).replace(/\/$/, "");
  if (!/^\.{0,2}$|^\.\.\/|^\/|^[A-Za-z]:|\\/.test(normal)) return normal;
  reader.diagnostics.push(diagnosticOf("config-path", { path: node.value }, { span: node.span }));
  return undefined;
}

/** The path, if something is there. */
function existing(
  { folder, diagnostics }: ConfigReader,
  kind: string,
  path: string | undefined,
  node: Node | undefined,
): string | undefined {
  if (path === undefined || node === undefined || existsSync(join(folder.root, path))) return path;
  diagnostics.push(diagnosticOf("config-path-not-found", { path, kind }, { span: node.span }));
  return undefined;
}

/** The path, reported where it overlaps another one. */
function claim(
  { claimed, diagnostics }: ConfigReader,
  path: string | undefined,
  node: Node | undefined,
): string | undefined {
  if (path === undefined || node === undefined) return undefined;
  const other = claimed.find(
    (each) => `${each}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${each}/`),
  );
  if (other !== undefined)
    diagnostics.push(diagnosticOf("config-overlap", { path, other }, { span: node.span }));
  claimed.push(path);
  return path;
}

function reportType({ diagnostics }: ConfigReader, node: Node, key: string, wanted: string): void {
  diagnostics.push(diagnosticOf("config-wrong-type", { key, wanted }, { span: node.span }));
}
