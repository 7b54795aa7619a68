import { posix } from "node:path";
import { closest } from "../../../conformance/base/closest.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Reporter } from "../diagnostics/index.ts";
import { childOf, entriesOf, entryOf, namesOf } from "../read/access.ts";
import type { ExtendedFile } from "../read/index.ts";
import { protocolOf, readInterface } from "../read/interface.ts";
import type { SourceText } from "../source/index.ts";
import type { InterfaceSpec, Name } from "../spec.ts";
import type { Protocol } from "../structure/protocols.ts";
import type { Node } from "../syntax/index.ts";
import type { UsedSpec } from "./uses.ts";

/** The specs that a spec extends, directly or through others. */
export interface Extended {
  /** The nearest first. */
  readonly interfaces: readonly (InterfaceSpec & { readonly folder: string })[];
  readonly files: readonly ExtendedFile[];
  readonly sources: ReadonlySet<SourceText>;
  /** Whether every file of them could be read. */
  readonly complete: boolean;
}

/** Reads what the interface among the files of a folder extends. */
export type Extend = (folder: string, files: readonly Node[], reporter: Reporter) => Extended;

/** The files of a folder, as trees. */
export interface ParsedFiles {
  readonly nodes: readonly Node[];
  readonly complete: boolean;
  readonly protocol: Protocol;
}

type ReadFolder = (folder: string) => readonly SourceText[] | undefined;
type ParseFiles = (files: readonly SourceText[], reporter: Reporter) => ParsedFiles;

interface Run {
  readonly readFolder: ReadFolder;
  readonly parseFiles: ParseFiles;
  readonly reporter: Reporter;
  /** Folders that are taken over already: one that is reached on two ways is taken over once. */
  readonly folders: Set<string>;
  readonly interfaces: (InterfaceSpec & { readonly folder: string })[];
  readonly files: ExtendedFile[];
  readonly sources: Set<SourceText>;
  complete: boolean;
}

export function createExtender(readFolder: ReadFolder, parseFiles: ParseFiles): Extend {
  return (folder, nodes, reporter) => {
    const run: Run = {
      readFolder,
      parseFiles,
      reporter,
      folders: new Set(),
      interfaces: [],
      files: [],
      sources: new Set(),
      complete: true,
    };
    take(run, [folder], nodes, new Set());
    return run;
  };
}

/** `chain`: from the spec that is loaded to the folder of these files, which extend others. */
function take(run: Run, chain: readonly string[], nodes: readonly Node[], except: ReadonlySet<string>): void {
  const node = nodes.flatMap((file) => childOf(file, "interface") ?? [])[0];
  const folder = chain.at(-1) ?? "";
  const before = run.files.length;
  const excluded = namesOf(childOf(node, "except"));
  const names = new Set([...except, ...excluded.map(({ value }) => value)]);
  const protocol = protocolOf(nodes);
  for (const name of namesOf(childOf(node, "extends")))
    takeFolder(run, { chain, folder, name, protocol, names });
  if (run.complete) checkExcluded(excluded, run.files.slice(before), run.reporter);
}

interface Taking {
  readonly chain: readonly string[];
  readonly folder: string;
  /** The folder as it is written. */
  readonly name: Name;
  /** The protocol of the spec that names it. */
  readonly protocol: Protocol;
  readonly names: ReadonlySet<string>;
}

function takeFolder(run: Run, { chain, folder, name, protocol, names }: Taking): void {
  const { reporter } = run;
  const target = placesOf(folder, name.value).find((place) => run.readFolder(place) !== undefined);
  if (target === undefined) {
    reporter.report("extends-not-found", name.span, { folder: name.value });
    run.complete = false;
    return;
  }
  if (chain.includes(target)) {
    reporter.report("extends-cycle", name.span, { chain: [...chain.slice(chain.indexOf(target)), target] });
    run.complete = false;
    return;
  }
  if (run.folders.has(target)) return;
  run.folders.add(target);
  const sources = run.readFolder(target) ?? [];
  const parsed = run.parseFiles(sources, reporter);
  const [entry] = parsed.nodes.flatMap((file) => entryOf(file, "interface") ?? []);
  if (entry === undefined || !parsed.complete) run.complete = false;
  for (const source of sources) run.sources.add(source);
  if (entry === undefined) return reporter.report("extends-not-found", name.span, { folder: target });
  if (parsed.protocol !== protocol)
    reporter.report("uses-other-protocol", name.span, { protocol, other: parsed.protocol });
  run.interfaces.push({ ...readInterface(entry), folder: target });
  run.files.push(...parsed.nodes.map((node) => ({ node, except: names })));
  take(run, [...chain, target], parsed.nodes, names);
}

/** Where a written folder may be: beside the spec's folder, or else in an installed package. */
function placesOf(folder: string, written: string): readonly string[] {
  if (/^\.{1,2}(?:\/|$)/.test(written)) return [normalized(posix.join(folder, written))];
  return ["", "../", "../../", "../../../"].map((up) => normalized(`${up}node_modules/${written}`));
}

function checkExcluded(excluded: readonly Name[], files: readonly ExtendedFile[], reporter: Reporter): void {
  const known = new Set(
    files.flatMap(({ node }) =>
      entriesOf(node).flatMap(({ key, value }) =>
        key === "interface" ? [] : entriesOf(value).map((entry) => entry.key),
      ),
    ),
  );
  for (const { value, span } of excluded) {
    if (known.has(value)) continue;
    reporter.report("except-unknown", span, { name: value, suggestion: closest(value, known) });
  }
}

/**
 * An interface with what it has of those that it extends: their services, and `auth`, `faults`, schemes and `security`
 * where neither it nor a spec that it uses has them.
 */
export function takenOver(
  own: InterfaceSpec,
  { interfaces }: Extended,
  used: readonly UsedSpec[],
): InterfaceSpec {
  if (interfaces.length === 0) return own;
  const services = new Map(
    [...interfaces.toReversed(), own].flatMap((each) => each.services.map((one) => [one.name.value, one])),
  );
  const has = (key: "auth" | "faults"): boolean => used.some(({ loaded }) => loaded.scope[key] !== undefined);
  return {
    ...own,
    ...omitUndefined({
      auth: own.auth ?? (has("auth") ? undefined : interfaces.find(({ auth }) => auth)?.auth),
      faults: own.faults ?? (has("faults") ? undefined : interfaces.find(({ faults }) => faults)?.faults),
      security: own.security ?? interfaces.find(({ security }) => security)?.security,
    }),
    services: [...services.values()],
    schemes:
      own.schemes.length > 0
        ? own.schemes
        : (interfaces.find(({ schemes }) => schemes.length > 0)?.schemes ?? []),
  };
}

/** A folder without dots and a slash at its end. */
export function normalized(folder: string): string {
  return posix.normalize(folder).replace(/(?<=.)\/$/, "");
}
