import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { Diagnostic } from "../../generator/language/diagnostics/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import { onePerItem, sharedNames } from "../../generator/targets/name-clashes.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { oncePer } from "../../generator/language/source/once-per.ts";
import { parseYaml, yamlText, type Entry, type Node } from "../../generator/language/syntax/index.ts";
import { refuse, findingsOf, verdictOf, type ImportReport, type ReportEntry } from "./findings.ts";
import type { MethodEntry } from "./methods.ts";
import type { Written } from "./print-types.ts";
import { placeOf } from "./sources.ts";
import type { TypeEntry, TypeTable } from "./type-table.ts";

/** The text of each file of a spec, by its name. */
export type SpecFiles = Readonly<Record<string, string>>;

export interface ImportDraft {
  readonly interface: Written;
  readonly methods: readonly MethodEntry[];
  readonly types: ReadonlyMap<TypeEntry, Written>;
  readonly table: TypeTable;
  readonly errors: Readonly<Record<string, Written>>;
}

const roundsMax = 8;

/**
 * The files of the spec without what was refused. They are read as `generate` reads them. A spec that the language
 * refuses is refused here in its own words, so the rest always loads.
 */
export function checkedSpec(draft: ImportDraft): {
  readonly files: SpecFiles;
  readonly report: ImportReport;
} {
  noteLargeNumbers(draft);
  let files = writeFiles(draft);
  for (
    let round = 0;
    round < roundsMax && (refuseFailing(files, draft) || nameClashing(files, draft));
    round += 1
  )
    files = writeFiles(draft);
  return { files, report: { entries: reportEntries(draft) } };
}

const modelOf = oncePer((files: SpecFiles) => {
  const texts = Object.entries(files).map(([name, text]) => sourceText(`spec/${name}`, text));
  return loadServiceModel("spec", () => texts);
});

/** Whether names in generated code that two items would share had to be chosen: the later item gets a number. */
function nameClashing(files: SpecFiles, draft: ImportDraft): boolean {
  const { value: model } = modelOf(files);
  if (model === undefined) return false;
  const found = onePerItem([...sharedNames(model), ...partOf(model, "client").clashes(model)]);
  const items = [...model.types, ...model.methods, ...model.errors];
  const taken = new Set(items.map(({ names }) => names.type.toLowerCase()));
  return found
    .map((diagnostic) => {
      const definition = definitionOf(definitionAt(diagnostic), draft)?.definition;
      const item = items.find(({ span }) => span === diagnostic.span);
      if (definition === undefined || item === undefined) return false;
      const letters = item.names.type.replaceAll(/[^A-Za-z0-9]/g, "").replace(/^(?![A-Z])/, "N");
      let number = 2;
      while (taken.has(`${letters}${number}`.toLowerCase())) number += 1;
      taken.add(`${letters}${number}`.toLowerCase());
      definition["codeName"] = `${letters.slice(0, 56)}${number}`;
      return true;
    })
    .includes(true);
}

/** What a place of the written spec was made from. */
function definitionOf(
  place: Place | undefined,
  draft: ImportDraft,
): { readonly owner?: MethodEntry | TypeEntry; readonly definition: Written } | undefined {
  switch (place?.section) {
    case "methods": {
      const owner = draft.methods.find((each) => each.name === place.name);
      return owner?.definition && { owner, definition: owner.definition };
    }
    case "types": {
      const owner = draft.table.named(place.name);
      const definition = owner && draft.types.get(owner);
      return definition && { owner, definition };
    }
    case "errors": {
      const definition = draft.errors[place.name];
      return definition && { definition };
    }
    default:
      return undefined;
  }
}

/** Whether something had to be taken back. */
function refuseFailing(files: SpecFiles, draft: ImportDraft): boolean {
  const { diagnostics } = modelOf(files);
  const lastFirst = diagnostics
    .filter(({ severity }) => severity === "error")
    .toSorted((a, b) => (b.span?.start ?? 0) - (a.span?.start ?? 0));
  const aside = new Set<string>();
  return lastFirst.map((diagnostic) => refuseDefinition(diagnostic, draft, aside)).includes(true);
}

/** `aside` names what this round has set aside: one of a method's examples, or all of a definition. */
function refuseDefinition(diagnostic: Diagnostic, draft: ImportDraft, aside: Set<string>): boolean {
  const place = definitionAt(diagnostic);
  if (place === undefined) return false;
  const { owner, definition } = definitionOf(place, draft) ?? {};
  if (owner === undefined || definition === undefined) return false;
  if (place.example !== undefined) {
    const key = `${place.name} ${place.example}`;
    const isNew = !aside.has(key);
    aside.add(key);
    return isNew && setExampleAside(definition, place.example);
  }
  if (diagnostic.code === "default-mismatch") return setDefaultAside(definition, place.path);
  if (diagnostic.code.startsWith("example-")) {
    const isAside = aside.has(place.name);
    aside.add(place.name);
    if (isAside || setExamplesAside(definition)) return true;
  }
  const reason = `the spec language: ${diagnostic.message}`;
  if (owner.findings.some((finding) => finding.reason === reason)) return false;
  refuse(owner.site, reason, owner);
  return true;
}

/** One of a method's examples. */
function setExampleAside(definition: Written, index: number): boolean {
  const { examples, "x-examples": others } = definition;
  if (!Array.isArray(examples) || examples[index] === undefined) return false;
  const rest = examples.filter((_, at) => at !== index);
  if (rest.length === 0) delete definition.examples;
  else definition.examples = rest;
  definition["x-examples"] = [...(Array.isArray(others) ? others : []), pairingOf(examples[index])];
  return true;
}

/**
 * A default that does not fit its own type travels as `x-default`: in JSON Schema it is a remark, which nothing checks.
 * `path` leads from the definition to the default.
 */
function setDefaultAside(definition: Written, path: readonly (string | number)[]): boolean {
  const field = path
    .slice(0, -1)
    .reduce<unknown>((part, step) => Reflect.get(Object(part), step), definition);
  if (path.at(-1) !== "default" || typeof field !== "object" || field === null) return false;
  Reflect.set(field, "x-default", Reflect.get(field, "default"));
  return Reflect.deleteProperty(field, "default");
}

/** An example as OpenRPC writes it. */
function pairingOf({ name, doc, payload, result }: Written): Written {
  const params = Object.entries(Object(payload)).map(([param, value]) => ({ name: param, value }));
  return omitUndefined({ name, description: doc, params, result: { name: "result", value: result } });
}

/** Examples of types and members that do not fit travel as `x-example`. */
function setExamplesAside(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  let moved = false;
  for (const [key, member] of Object.entries(value)) {
    if (key === "examples" || key === "example") {
      Reflect.deleteProperty(value, key);
      Reflect.set(value, `x-${key}`, member);
      moved = true;
    } else if (key === "fields" || key === "payload" || key === "result" || Array.isArray(value)) {
      if (setExamplesAside(member)) moved = true;
    }
  }
  return moved;
}

interface Place {
  readonly section: string;
  readonly name: string;
  /** Which of the method's examples it is about. */
  readonly example?: number;
  /** Keys and places in lists, from the definition inwards. */
  readonly path: readonly (string | number)[];
}

/** The definition that a finding is about. */
function definitionAt({ span }: Diagnostic): Place | undefined {
  if (span === undefined) return undefined;
  const { value: file } = parseYaml(span.source);
  const around = (entries: readonly Entry[]) =>
    entries.findLast((entry) => entry.keySpan.start <= span.start);
  const section = around(entriesIn(file));
  const definition = around(entriesIn(section?.value));
  if (section === undefined || definition === undefined) return undefined;
  const path = pathTo(span.start, definition.value);
  const [part, item] = path;
  return omitUndefined({
    section: section.key,
    name: definition.key,
    example: part === "examples" && typeof item === "number" ? item : undefined,
    path,
  });
}

/** Where in a node something begins: keys of maps and places in lists. */
function pathTo(start: number, node: Node): readonly (string | number)[] {
  if (node.kind === "list") {
    const index = node.items.findLastIndex((item) => item.span.start <= start);
    const item = node.items[index];
    return item === undefined ? [] : [index, ...pathTo(start, item)];
  }
  const entry = entriesIn(node).findLast(({ keySpan }) => keySpan.start <= start);
  return entry === undefined ? [] : [entry.key, ...pathTo(start, entry.value)];
}

function entriesIn(node: Node | undefined): readonly Entry[] {
  return node?.kind === "map" ? node.entries : [];
}

function writeFiles(draft: ImportDraft): SpecFiles {
  const isRefused = refusedBy(draft);
  const kept = draft.methods.filter((method) => !isRefused(method));
  const used = reachedFrom(kept, draft);
  const types = [...draft.types].filter(([type]) => !isRefused(type));
  const reached = reachedFrom(
    [...kept, ...types.map(([type]) => type).filter(({ isComponent }) => isComponent)],
    draft,
  );
  const methods = kept.flatMap(({ name, definition }) =>
    definition === undefined ? [] : [[name, definition] as const],
  );
  const named = types
    .filter(([type]) => type.isComponent || reached.has(type.name))
    .map(([type, written]) => {
      const isUsed = used.has(type.name);
      return [type.name, isUsed ? written : { ...written, keep: true }] as const;
    });
  const given = new Set(kept.flatMap(({ definition }) => Object.keys(Object(definition?.errors))));
  const errors = Object.entries(draft.errors).filter(([name]) => given.has(name));
  return omitUndefined({
    "interface.yaml": specText({ interface: draft.interface }),
    "errors.yaml": errors.length === 0 ? undefined : specText({ errors: Object.fromEntries(errors) }),
    "methods.yaml": methods.length === 0 ? undefined : specText({ methods: Object.fromEntries(methods) }),
    "types.yaml": named.length === 0 ? undefined : specText({ types: Object.fromEntries(named) }),
  });
}

/** Examples and `x-…` keys may have numbers of any size, which a spec holds as texts. */
function noteLargeNumbers({ methods, types }: ImportDraft): void {
  const written = methods.map((method) => [method, method.definition] as const);
  const reason = "a number beyond 9007199254740991 is not kept exactly: it stands as a text";
  for (const [owner, definition] of [...written, ...types]) {
    if (owner.findings.some(({ effect }) => effect === "refused") || !hasLargeNumber(definition)) continue;
    owner.findings.push({ pointer: placeOf(owner.site), reason, effect: "dropped" });
  }
}

function isLarge(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function hasLargeNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isLarge(value);
  return Object.values(value).some(hasLargeNumber);
}

function specText(value: Written): string {
  return yamlText(hasLargeNumber(value) ? JSON.parse(JSON.stringify(value), withTexts) : value);
}

function withTexts(_key: string, part: unknown): unknown {
  return isLarge(part) ? String(part) : part;
}

type Reported = MethodEntry | TypeEntry;

/** Whether each method and type is refused, be it for a type that it refers to: decided once for all. */
function refusedBy({ methods, table }: ImportDraft): (owner: Reported) => boolean {
  const types = table.all();
  const referrers = new Map<string, Reported[]>();
  for (const owner of [...methods, ...types]) {
    for (const name of owner.uses) {
      const known = referrers.get(name) ?? [];
      known.push(owner);
      referrers.set(name, known);
    }
  }
  const refused = new Set<Reported>();
  const pending = [...methods, ...types].filter(({ findings }) => verdictOf(findings) === "refused");
  for (let owner = pending.pop(); owner !== undefined; owner = pending.pop()) {
    if (refused.has(owner)) continue;
    refused.add(owner);
    if (table.named(owner.name) === owner) pending.push(...(referrers.get(owner.name) ?? []));
  }
  return (owner) => refused.has(owner);
}

function reachedFrom(owners: readonly Reported[], { table }: ImportDraft): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = owners.flatMap(({ uses }) => [...uses]);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    pending.push(...(table.named(name)?.uses ?? []));
  }
  return reached;
}

function reportEntries({ methods, table }: ImportDraft): readonly ReportEntry[] {
  const entry = (kind: ReportEntry["kind"], owner: Reported): ReportEntry => {
    const findings = findingsOf(owner, (name) => table.named(name));
    return { kind, name: owner.name, pointer: placeOf(owner.site), verdict: verdictOf(findings), findings };
  };
  return [
    ...methods.map((method) => entry("method", method)),
    ...table
      .all()
      .filter(({ isComponent }) => isComponent)
      .map((type) => entry("type", type)),
  ];
}
