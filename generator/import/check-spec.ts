import type { Diagnostic } from "../diagnostics/index.ts";
import { loadServiceModel } from "../model/index.ts";
import { sourceText } from "../source/index.ts";
import { parseYaml, yamlText, type Entry } from "../syntax/index.ts";
import { refuse } from "./findings.ts";
import type { MethodEntry } from "./methods.ts";
import type { Written } from "./print-types.ts";
import { findingsOf, verdictOf, type ImportReport, type ReportEntry } from "./report.ts";
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
 * The files of the spec without what was refused. They are read as `generate` reads them, and what the language then
 * refuses is refused here, with the language's own words: what is left always loads.
 */
export function checkedSpec(draft: ImportDraft): {
  readonly files: SpecFiles;
  readonly report: ImportReport;
} {
  let files = writeFiles(draft);
  for (let round = 0; round < roundsMax && blame(files, draft); round += 1) files = writeFiles(draft);
  return { files, report: { entries: reportEntries(draft) } };
}

/** Whether something had to be taken back. */
function blame(files: SpecFiles, draft: ImportDraft): boolean {
  const texts = Object.entries(files).map(([name, text]) => sourceText(`spec/${name}`, text));
  const { diagnostics } = loadServiceModel("spec", () => texts);
  const blamed = diagnostics
    .filter(({ severity }) => severity === "error")
    .map((diagnostic) => blameOne(diagnostic, draft));
  return blamed.includes(true);
}

function blameOne(diagnostic: Diagnostic, draft: ImportDraft): boolean {
  const place = definitionAt(diagnostic);
  if (place === undefined) return false;
  const method =
    place.section === "methods"
      ? draft.methods.find((each) => each.definition && each.name === place.name)
      : undefined;
  const type = place.section === "types" ? draft.table.named(place.name) : undefined;
  const definition = method?.definition ?? (type && draft.types.get(type));
  const owner = method ?? type;
  if (owner === undefined || definition === undefined) return false;
  if (diagnostic.code.startsWith("example-") && setExamplesAside(definition)) return true;
  const reason = `the spec language: ${diagnostic.message}`;
  if (owner.findings.some((finding) => finding.reason === reason)) return false;
  refuse(owner.site, reason, owner);
  return true;
}

/** Examples that do not fit their own types travel as `x-…` keys. */
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

/** The section and name of the definition that a finding is about. */
function definitionAt({ span }: Diagnostic): { readonly section: string; readonly name: string } | undefined {
  if (span === undefined) return undefined;
  const { value: file } = parseYaml(span.source);
  const holds = (entry: Entry): boolean =>
    entry.keySpan.start <= span.start && span.start <= Math.max(entry.value.span.end, entry.keySpan.end);
  const section = file?.kind === "map" ? file.entries.find(holds) : undefined;
  const definition = section?.value.kind === "map" ? section.value.entries.find(holds) : undefined;
  return section && definition && { section: section.key, name: definition.key };
}

function writeFiles(draft: ImportDraft): SpecFiles {
  const kept = draft.methods.filter((method) => !isRefused(method, draft));
  const types = [...draft.types].filter(([type]) => !isRefused(type, draft));
  const reached = reachedFrom(
    [...kept, ...types.map(([type]) => type).filter(({ isComponent }) => isComponent)],
    draft,
  );
  const methods = kept.map(({ name, definition }) => [name, definition] as const);
  const named = types
    .filter(([type]) => type.isComponent || reached.has(type.name))
    .map(([type, written]) => [type.name, written] as const);
  const given = new Set(kept.flatMap(({ definition }) => Object.keys(Object(definition.errors))));
  const errors = Object.entries(draft.errors).filter(([name]) => given.has(name));
  return {
    "interface.yaml": yamlText({ interface: draft.interface }),
    ...(errors.length === 0 ? {} : { "errors.yaml": yamlText({ errors: Object.fromEntries(errors) }) }),
    ...(methods.length === 0 ? {} : { "methods.yaml": yamlText({ methods: Object.fromEntries(methods) }) }),
    ...(named.length === 0 ? {} : { "types.yaml": yamlText({ types: Object.fromEntries(named) }) }),
  };
}

type Reported = MethodEntry | TypeEntry;

function isRefused(owner: Reported, draft: ImportDraft): boolean {
  return verdictOf(findingsOf(owner, (name) => draft.table.named(name))) === "refused";
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
