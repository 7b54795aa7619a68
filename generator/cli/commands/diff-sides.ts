import { statSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { ReadFolder } from "../../model/index.ts";
import { sourceText } from "../../language/source/index.ts";
import { parseYaml, valueOf } from "../../language/syntax/index.ts";
import { diskReader } from "../disk-reader.ts";
import { selectSpecs, type SpecOptions } from "../select.ts";
import type { Diagnostic } from "../../language/diagnostics/index.ts";
import { documentNamedBy, documentSides } from "./diff-documents.ts";
import { openRepository, type GitRepository } from "./diff-git.ts";

/** A spec as it is or was somewhere, ready to be read. */
export interface SpecSide {
  readonly label: string;
  /** The spec's folder, as `read` knows it. */
  readonly folder: string;
  readonly read: ReadFolder;
}

/** A spec to compare with itself; one side is absent where there is no such spec. */
export interface SpecSides {
  readonly name: string;
  readonly old?: SpecSide;
  readonly new?: SpecSide;
  /** False where it is there only because one that is asked for may have been moved from there. */
  readonly isAsked?: false;
  /** The folder of its handlers, where a config says so. */
  readonly handlers?: string;
}

export type Sides =
  | {
      readonly kind: "sides";
      readonly sides: readonly SpecSides[];
      /** Where the config is, or else where the command was called. */
      readonly root: string;
      /** Where the paths of the sides begin, seen from the root of the repository: empty, or `packages/notes/`. */
      readonly prefix: string;
      /** Whether these are all the specs that there are, so that an exception that fits none is stale. */
      readonly isWhole: boolean;
      /** Whether the specs are made of documents. */
      readonly areDocuments?: true;
    }
  | { readonly kind: "refused"; readonly message: string; readonly diagnostics: readonly Diagnostic[] };

/** The meaning of an argument. */
type Named =
  | { readonly kind: "folder"; readonly path: string; readonly label: string }
  | { readonly kind: "revision"; readonly commit: string; readonly path?: string; readonly label: string };

/** Finds out what is to be compared with what, as somebody names it in a folder. */
export function sidesOf(
  oldText: string,
  newText: string | undefined,
  options: SpecOptions & { readonly lossy?: true },
  cwd: string,
): Sides {
  const git = openRepository(cwd);
  const [document, other] = [oldText, newText ?? ""].map((text) => documentNamedBy(text, cwd, git));
  if (document !== undefined || other !== undefined) {
    if (document === undefined || other === undefined)
      return refused(
        "a document is compared with a document: `ledger-rpc diff old.json new.json`, or `ledger-rpc import` it first",
      );
    const sides = documentSides(document, other, options);
    if (typeof sides === "string") return refused(sides);
    return {
      kind: "sides",
      sides: [sides],
      root: rootOf(options, cwd),
      prefix: "",
      isWhole: true,
      areDocuments: true,
    };
  }
  const old = namedBy(oldText, cwd, git);
  if (typeof old === "string") return refused(old);
  const recent = newText === undefined ? undefined : namedBy(newText, cwd, git);
  if (typeof recent === "string") return refused(recent);
  if (old.kind === "folder" && recent === undefined) {
    return refused(
      `${oldText} is a folder: say what to compare it with, as in \`ledger-rpc diff ${oldText} <new folder>\``,
    );
  }
  const path = old.path ?? recent?.path;
  if (path !== undefined) {
    const sides = [
      sideAt(old, path, cwd, git),
      sideAt(recent ?? workingTree(path), recent?.path ?? path, cwd, git),
    ] as const;
    const missing = sides.findIndex(({ folder, read }) => read(folder) === undefined);
    if (missing !== -1) return refused(`there are no spec files in ${sides[missing]?.label ?? ""}`);
    const name = basename(resolve(cwd, recent?.path ?? path));
    return {
      kind: "sides",
      sides: [
        {
          name,
          old: sides[0],
          new: sides[1],
          ...handlersBeside(resolve(cwd, recent?.path ?? path), options, cwd),
        },
      ],
      root: rootOf(options, cwd),
      prefix: git?.prefix ?? "",
      isWhole: true,
    };
  }
  return configuredSides(old, recent, options, { cwd, git });
}

/** The handlers of a spec that the nearest config names. */
function handlersBeside(folder: string, options: SpecOptions, cwd: string): Pick<SpecSides, "handlers"> {
  const selection = selectSpecs(options, cwd);
  if (selection.kind !== "selected") return {};
  const { root } = selection.config;
  const target = selection.targets.find(({ spec }) => join(root, spec) === folder);
  return target === undefined ? {} : { handlers: target.handlers };
}

function refused(message: string): Sides {
  return { kind: "refused", message, diagnostics: [] };
}

function workingTree(path: string): Named {
  return { kind: "folder", path, label: path };
}

/** The text says why it makes no sense. */
function namedBy(text: string, cwd: string, git: GitRepository | undefined): Named | string {
  if (isFolder(resolve(cwd, text))) {
    return {
      kind: "folder",
      path: relative(cwd, resolve(cwd, text)).replaceAll(sep, "/") || ".",
      label: text,
    };
  }
  if (git === undefined)
    return `there is no folder ${text}, and no git repository here whose revision it could be`;
  const at = text.indexOf(":");
  const commit = git.commitOf(at === -1 ? text : text.slice(0, at));
  if (commit === undefined) {
    const hint = git.isShallow() ? ": this clone is shallow, `git fetch --unshallow` gets the rest" : "";
    return `${text} is neither a folder nor a revision that git knows${hint}`;
  }
  const label = { commit, label: text };
  const written = at === -1 ? "" : text.slice(at + 1).replace(/\/$/, "");
  if (written === "") return { kind: "revision", ...label };
  // As git has it: from the root of the repository, unless it says where from.
  const path = git.fromRoot(written);
  const isFromRoot = !/^\.{1,2}(?:\/|$)/.test(written) && git.specTexts(commit, path) !== undefined;
  return { kind: "revision", ...label, path: isFromRoot ? path : posix.normalize(written) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function sideAt(named: Named, path: string, root: string, git: GitRepository | undefined): SpecSide {
  if (named.kind === "folder" || git === undefined)
    return { label: named.label, folder: path, read: diskReader(root) };
  const { commit } = named;
  const label = named.path === undefined ? `${named.label}:${path}` : named.label;
  const installed = diskReader(root);
  return {
    label,
    folder: path,
    // No revision has the installed packages whose specs it extends.
    read: (folder) =>
      git.specTexts(commit, folder) ??
      (/(?:^|\/)node_modules\//.test(folder) ? installed(folder) : undefined),
  };
}

/** Every spec that the config names, or named in the old revision. */
function configuredSides(
  old: Named,
  recent: Named | undefined,
  options: SpecOptions,
  opened: { readonly cwd: string; readonly git: GitRepository | undefined },
): Sides {
  const selection = selectSpecs(options, opened.cwd);
  if (selection.kind !== "selected") return selection;
  const { config, targets } = selection;
  const git = config.root === opened.cwd ? opened.git : openRepository(config.root);
  const present = (named: Named, spec: string): SpecSide | undefined => {
    const side = sideAt(named, spec, config.root, git);
    return side.read(side.folder) === undefined ? undefined : side;
  };
  const now = recent ?? workingTree("");
  const configName = options.config === undefined ? "ledger-rpc.yaml" : basename(options.config);
  const past = old.kind === "revision" ? git?.read(old.commit, configName) : undefined;
  const isFiltered = options.spec !== undefined;
  const specs = new Set([...targets.map(({ spec }) => spec), ...specsNamedIn(past)]);
  const sides = [...specs].flatMap((spec): readonly SpecSides[] => {
    const isAsked = !isFiltered || targets.some((target) => target.spec === spec);
    const before = present(old, spec);
    const after = isAsked ? presentNow(present, now, spec) : undefined;
    if (before === undefined && after === undefined) return [];
    const handlers = targets.find((target) => target.spec === spec)?.handlers;
    return [
      omitUndefined({
        name: basename(spec),
        old: before,
        new: after,
        handlers,
        isAsked: isAsked ? undefined : isAsked,
      }),
    ];
  });
  return { kind: "sides", sides, root: config.root, prefix: git?.prefix ?? "", isWhole: !isFiltered };
}

function presentNow(
  present: (named: Named, spec: string) => SpecSide | undefined,
  now: Named,
  spec: string,
): SpecSide | undefined {
  return present(now.kind === "folder" ? workingTree(spec) : now, spec);
}

/** The spec folders of a config of the past; none where it cannot be read. */
function specsNamedIn(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const { value: node } = parseYaml(sourceText("ledger-rpc.yaml", text));
  const config: unknown = node === undefined ? undefined : valueOf(node);
  if (typeof config !== "object" || config === null || !("specs" in config)) return [];
  const specs: readonly unknown[] = Array.isArray(config.specs) ? config.specs : [];
  return specs.flatMap((each) =>
    typeof each === "object" && each !== null && "spec" in each && typeof each.spec === "string"
      ? [each.spec.replace(/\/$/, "")]
      : [],
  );
}

function rootOf(options: SpecOptions, cwd: string): string {
  return options.config === undefined ? cwd : join(cwd, dirname(options.config));
}
