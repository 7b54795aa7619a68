import type { Diagnostic } from "../language/diagnostics/index.ts";
import type { ServiceModel } from "../model/service-model.ts";
import { jsonText } from "../print/literals.ts";

export type { Diagnostic } from "../language/diagnostics/index.ts";
export type * from "../model/service-model.ts";

/** Where the files of one interface go, as paths relative to the project's root with forward slashes. */
export interface EmitLayout {
  /** Folder of everything the generator owns: `generated/ledger`. */
  readonly out: string;
  /** Folder of the hand-written bodies: `ledger/handlers/ledger`. */
  readonly handlers: string;
  /** True where no run writes bodies: they are a part of modules of the project. */
  readonly handlersElsewhere?: true;
  /** The runtime's contract: a module, `runtime/contract/index.ts`, or a package, `ledger-rpc-runtime/contract`. */
  readonly contract: string;
  /** Names of the emitters that are wanted; those that they need come with them. All if absent. */
  readonly targets?: readonly string[];
  /** Names of the emitters whose folder or document below `out` no run writes. None if absent. */
  readonly built?: readonly string[];
  /** Pages of Markdown that the reference shows beside its own, in this order; none if absent. */
  readonly guides?: readonly Guide[];
  /** Files that the reference's start page links to; none if absent. */
  readonly downloads?: readonly Download[];
  /** Whether the reference's pages link to those of other revisions, which lie beside them; not if absent. */
  readonly isVersioned?: boolean;
  /** How modules of the project import each other's TypeScript files; by `.ts` if absent. */
  readonly importExtension?: ".js";
}

/** A page of Markdown that is shown beside the reference. */
export interface Guide {
  /** Relative to the project: `docs/getting-started.md`. Guides link to each other by it. */
  readonly path: string;
  readonly text: string;
  /** Where the pictures of the text lie, below the folder of the pages; others are shown by what they say. */
  readonly pictures?: ReadonlyMap<string, string>;
}

/** A file beside the reference pages. */
export interface Download {
  /** Below the folder of the pages. */
  readonly href: string;
  readonly name: string;
  /** What it is good for. */
  readonly about: string;
}

/** A file as an emitter wants it, before formatting. */
export interface FileDraft {
  /** Relative to the project's root, forward slashes. */
  readonly path: string;
  /**
   * `owned` is written whenever it differs and deleted when no emitter wants it any more. `stub` is created once
   * and belongs to its author from then on.
   */
  readonly ownership: "owned" | "stub";
  readonly text: string;
  /** For a stub: the method it is the body of. */
  readonly method?: string;
}

/** A file that is a JSON document. */
export function jsonFile(path: string, value: unknown): FileDraft {
  return { path, ownership: "owned", text: jsonText(value) };
}

/** The files of a folder that the generator owns: texts by name. */
export function ownedFiles(texts: Readonly<Record<string, string>>, folder: string): readonly FileDraft[] {
  return Object.entries(texts).map(([name, text]) => ({
    path: `${folder}/${name}`,
    ownership: "owned",
    text,
  }));
}

/** Whether a target is generated: everything is where no targets are named. */
export function isWanted(target: string, { targets }: Pick<EmitLayout, "targets">): boolean {
  return targets?.includes(target) ?? true;
}

/**
 * One target. `generator/targets/<name>/index.ts` exports it as `emitter`; the folder alone adds it. Pure: the same
 * model and layout give the same drafts.
 */
export interface Emitter {
  readonly name: string;
  /** The part of each protocol that prints it. A protocol without the part does without this target. */
  readonly part?: "cases" | "client" | "documents" | "reference" | "server";
  /** Names of the emitters whose files its own files import. */
  readonly needs?: readonly string[];
  emit(model: ServiceModel, layout: EmitLayout): readonly FileDraft[];
  /** Errors of a spec that show only in generated files. */
  check?(model: ServiceModel): readonly Diagnostic[];
}
