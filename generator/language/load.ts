import { posix } from "node:path";
import {
  createReporter,
  diagnosticOf,
  hasErrors,
  inReadingOrder,
  type Code,
  type Diagnostic,
  type Reporter,
  type Result,
} from "./diagnostics/index.ts";
import type { SourceText } from "./source/index.ts";
import { parseYaml, type Node } from "./syntax/index.ts";
import { compareNames } from "./canonical-order.ts";
import { namesUnknownProtocol, protocolOf } from "./read/interface.ts";
import { readSpec } from "./read/index.ts";
import {
  createExtender,
  normalized,
  takenOver,
  type Extend,
  type ParsedFiles,
} from "./references/extends.ts";
import { checkRules } from "./rules/index.ts";
import { checkStructure, hasReadableSections } from "./structure/index.ts";
import { perProtocol, type Protocol } from "./structure/protocols.ts";
import type { LoadedSpec } from "./references/scope.ts";
import { withIncludes } from "./references/includes.ts";
import { servedOf } from "./serves.ts";
import type { InterfaceSpec, Spec } from "./spec.ts";
import { scopeOf, type UsedSpec } from "./references/uses.ts";
import { oncePer } from "./source/once-per.ts";

/** How specs are loaded. */
export interface LoadOptions {
  /** Whether the rules are checked, which takes a quarter of the time; yes if absent. No for specs known to be right. */
  readonly rules?: boolean;
}

/** Gives the `*.yaml` files under a folder, in any order; none or undefined where there is no such folder. */
export type ReadFolder = (folder: string) => readonly SourceText[] | undefined;

/**
 * Loads specs and the specs they use, each folder once. All mistakes are in the result, in reading order; the value
 * is absent if any of them is an error. Errors of a used spec are in the result too; its warnings are not.
 */
export function createSpecLoader(
  readFolder: ReadFolder,
  { rules = true }: LoadOptions = {},
): (folder: string) => Result<LoadedSpec> {
  const load = folderLoader(readFolder, rules);
  return (folder) => {
    const { spec, diagnostics } = load(normalized(folder), []);
    if (spec === undefined) return { diagnostics: inReadingOrder(diagnostics) };
    const reporter = createReporter();
    const { served, errors } = servedOf(spec, (earlier) => load(normalized(earlier), []), reporter);
    const found = [...new Set([...diagnostics, ...reporter.diagnostics, ...errors])];
    const ordered = inReadingOrder(found);
    return hasErrors(found)
      ? { diagnostics: ordered }
      : { value: { ...spec, serves: served }, diagnostics: ordered };
  };
}

interface Loaded {
  readonly spec?: LoadedSpec;
  readonly found: boolean;
  /** Whether every file of it, and of what it uses, could be read: only then is an unknown name a mistake. */
  readonly complete: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

type LoadFolder = (folder: string, usedBy: readonly string[]) => Loaded;

function folderLoader(readFolder: ReadFolder, rules: boolean): LoadFolder {
  const loads = new Map<string, Loaded>();
  const extend = createExtender(readFolder, parseFiles);
  const load: LoadFolder = (folder, usedBy) => {
    const known = loads.get(folder);
    if (known !== undefined) return known;
    const files = readFolder(folder) ?? [];
    const loaded =
      (rules ? loadedBefore(folder, files) : undefined) ??
      loadFiles(folder, files, [...usedBy, folder], { load, extend, rules });
    loads.set(folder, loaded);
    return loaded;
  };
  return load;
}

/** Specs that use and extend no other, by the first of their files: `--watch` keeps the sources that do not change. */
const loadedAlone = new WeakMap<SourceText, LoadedAlone>();

interface LoadedAlone {
  readonly folder: string;
  readonly files: readonly SourceText[];
  readonly loaded: Loaded;
}

function loadedBefore(folder: string, files: readonly SourceText[]): Loaded | undefined {
  const known = files[0] && loadedAlone.get(files[0]);
  if (known?.folder !== folder || known.files.length !== files.length) return undefined;
  return files.every((file, at) => file === known.files[at]) ? known.loaded : undefined;
}

function loadFiles(
  folder: string,
  files: readonly SourceText[],
  usedBy: readonly string[],
  { load, extend, rules }: Loading,
): Loaded {
  const reporter = createReporter();
  const parsed = parseFiles(files, reporter);
  const extended = extend(folder, parsed.nodes, reporter);
  const read = readSpec(folder, parsed.nodes, reporter, extended.files);
  const written = onlyInterface(read, parsed.complete, reporter);
  if (written === undefined) {
    const diagnostics = withMissingInterface(folder, read, parsed.complete, reporter.diagnostics);
    return { found: files.length > 0, complete: false, diagnostics };
  }
  const uses = [{ folder, uses: written.uses }, ...extended.interfaces];
  const used = loadUsed(uses, usedBy, load, reporter);
  const own = takenOver(written, extended, used.specs);
  const usedTypes = used.specs.map(({ loaded }) => loaded.scope.types);
  const spec = withIncludes(read, usedTypes, reporter);
  const loaded = { spec, interface: own, scope: scopeOf(spec, own, used.specs, reporter), serves: [] };
  const complete = parsed.complete && extended.complete && used.complete;
  if (rules && complete && spec.interfaces.length === 1) checkRules(loaded, reporter);
  // Warnings about what it extends are that spec's own.
  const said = reporter.diagnostics.filter(
    ({ severity, span }) => severity === "error" || span === undefined || !extended.sources.has(span.source),
  );
  const found = [...said, ...used.errors];
  const diagnostics = spec.included === undefined ? found : withoutRepetitions(found);
  const result: Loaded = { spec: loaded, found: true, complete, diagnostics };
  const [first] = files;
  if (rules && first !== undefined && own.uses.length === 0 && own.extends.length === 0)
    loadedAlone.set(first, { folder, files, loaded: result });
  return result;
}

interface Loading {
  readonly load: LoadFolder;
  readonly extend: Extend;
  readonly rules: boolean;
}

/** Removes repetitions: a mistake in an included field is found in each object that includes it. */
function withoutRepetitions(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Map<string, Diagnostic>();
  for (const each of found) {
    const { code, message, span, path } = each;
    const key = JSON.stringify([code, message, span?.source.path ?? path, span?.start, span?.end]);
    if (!said.has(key)) said.set(key, each);
  }
  return [...said.values()];
}

/** After these, a part of the file is not read: a name that is missing may be there. */
const losesText: ReadonlySet<string> = new Set<Code>([
  "yaml-key",
  "yaml-multiple-documents",
  "yaml-syntax",
  "yaml-too-deep",
]);

function parseFiles(files: readonly SourceText[], reporter: Reporter): ParsedFiles {
  const nodes: Node[] = [];
  let complete = true;
  for (const file of files.toSorted((a, b) => compareNames(a.path, b.path))) {
    const { value, diagnostics } = parseYaml(file);
    reporter.add(diagnostics);
    if (diagnostics.some(({ code }) => losesText.has(code))) complete = false;
    if (value === undefined) continue;
    if (!hasReadableSections(value)) complete = false;
    nodes.push(value);
  }
  const protocol = protocolOf(nodes);
  const isUnknown = namesUnknownProtocol(nodes);
  for (const node of nodes)
    reporter.add(isUnknown ? structureOf(node) : structureDiagnostics(protocol)(node));
  return { nodes, complete: complete && !isUnknown, protocol };
}

/** The diagnostics of a file by the schema of the language, kept by file. */
const structureDiagnostics = perProtocol((protocol) => oncePer((file: Node) => structureOf(file, protocol)));

function structureOf(file: Node, protocol?: Protocol): readonly Diagnostic[] {
  const reporter = createReporter();
  checkStructure(file, reporter, protocol);
  return reporter.diagnostics;
}

function onlyInterface(spec: Spec, complete: boolean, reporter: Reporter): InterfaceSpec | undefined {
  const [first, ...others] = spec.interfaces;
  for (const other of others) {
    if (first === undefined || !complete) break;
    reporter.report("two-interfaces", other.span, {}, { span: first.span, message: "the first is here" });
  }
  return first;
}

function withMissingInterface(
  folder: string,
  spec: Spec,
  complete: boolean,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (spec.interfaces.length > 0 || !complete) return diagnostics;
  return [...diagnostics, diagnosticOf("no-interface", { folder }, { path: folder })];
}

/** `users`: the interface, and those that it extends, each with the folder that its paths are relative to. */
function loadUsed(
  users: readonly { readonly folder: string; readonly uses: InterfaceSpec["uses"] }[],
  usedBy: readonly string[],
  load: LoadFolder,
  reporter: Reporter,
) {
  const specs: UsedSpec[] = [];
  const errors: Diagnostic[] = [];
  let complete = true;
  const targets = new Set<string>();
  for (const { use, target } of users.flatMap(({ folder, uses }) =>
    uses.map((use) => ({ use, target: normalized(posix.join(folder, use.value)) })),
  )) {
    if (targets.has(target)) continue;
    targets.add(target);
    if (usedBy.includes(target)) {
      reporter.report("uses-cycle", use.span, { chain: [...usedBy.slice(usedBy.indexOf(target)), target] });
      complete = false;
      continue;
    }
    const loaded = load(target, usedBy);
    errors.push(
      ...loaded.diagnostics.filter((diagnostic) => loaded.found && diagnostic.severity === "error"),
    );
    if (!loaded.found) reporter.report("uses-not-found", use.span, { folder: target });
    if (!loaded.complete) complete = false;
    if (loaded.spec !== undefined) specs.push({ use, loaded: loaded.spec });
  }
  return { specs, errors, complete };
}
