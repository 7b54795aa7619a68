import { hasErrors, inReadingOrder, type Diagnostic, type Result } from "../../language/diagnostics/index.ts";
import {
  diffModels,
  handlersToSee,
  versionAdvice,
  wholeInterface,
  type Change,
  type SpecDiff,
} from "../../diff/index.ts";
import { loadServiceModel, type ServiceModel } from "../../model/index.ts";
import { methodPath } from "../../print/method-path.ts";
import type { SpecSide, SpecSides } from "./diff-sides.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** Compared specs, with their models. */
export interface ComparedSpec {
  readonly diff: SpecDiff;
  readonly old?: ServiceModel;
  readonly new?: ServiceModel;
}

/** Reads and compares every spec. No value where one of them has errors: then nothing is compared. */
export function compareSpecs(
  sides: readonly SpecSides[],
  clientVersion: string | undefined,
): Result<readonly ComparedSpec[]> {
  const loaded = withMoved(
    sides.map((each) => ({ ...each, before: load(each.old), now: load(each.new) })),
  ).filter(({ new: recent, isAsked = true }) => recent !== undefined || isAsked);
  const diagnostics = inReadingOrder(
    loaded.flatMap(({ before, now }) => [...before.diagnostics, ...now.diagnostics]).filter(isError),
  );
  if (hasErrors(diagnostics)) return { diagnostics };
  const compared = loaded.map(({ name, old, new: recent, handlers, before, now }): ComparedSpec => {
    const changes = changesBetween(before.value, now.value);
    const version = versionAdvice(changes, clientVersion ?? before.value?.revision ?? "0.0.0");
    return omitUndefined({
      diff: {
        name,
        interfaceName: (now.value ?? before.value)?.name ?? name,
        old: { label: old?.label ?? "nothing", revision: before.value?.revision ?? "none" },
        new: { label: recent?.label ?? "nothing", revision: now.value?.revision ?? "none" },
        changes,
        version,
        ...handlersOf(handlers, changes, before.value, now.value),
      },
      old: before.value,
      new: now.value,
    });
  });
  return { value: compared, diagnostics };
}

type Loaded = SpecSides & {
  readonly before: Result<ServiceModel>;
  readonly now: Result<ServiceModel>;
};

/** A spec whose folder was moved is one spec, known by the name of its interface. */
function withMoved(loaded: readonly Loaded[]): readonly Loaded[] {
  const gone = loaded.filter(({ new: recent }) => recent === undefined);
  const moved = new Map(
    loaded.flatMap((each) => {
      if (each.old !== undefined || each.now.value === undefined) return [];
      const from = gone.find(({ before }) => before.value?.name === each.now.value?.name);
      return from === undefined ? [] : [[each, from] as const];
    }),
  );
  const sources = new Set(moved.values());
  return loaded.flatMap((each) => {
    const from = moved.get(each);
    if (from?.old !== undefined) return [{ ...each, old: from.old, before: from.before }];
    return sources.has(each) ? [] : [each];
  });
}

function handlersOf(
  folder: string | undefined,
  changes: readonly Change[],
  old: ServiceModel | undefined,
  recent: ServiceModel | undefined,
): Pick<SpecDiff, "handlers"> {
  if (folder === undefined || old === undefined || recent === undefined) return {};
  return {
    handlers: handlersToSee(changes, old, recent, (...method) => `${folder}/${methodPath(...method)}.ts`),
  };
}

/** Warnings about a spec are for `check`: here only what keeps it from being compared. */
function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function load(side: SpecSide | undefined): Result<ServiceModel> {
  return side === undefined ? { diagnostics: [] } : loadServiceModel(side.folder, side.read);
}

function changesBetween(old: ServiceModel | undefined, recent: ServiceModel | undefined): readonly Change[] {
  if (old !== undefined && recent !== undefined) return diffModels(old, recent);
  if (recent !== undefined) return [wholeInterface("interface-added", recent)];
  return old === undefined ? [] : [wholeInterface("interface-removed", old)];
}
