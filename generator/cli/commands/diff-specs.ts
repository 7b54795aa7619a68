import { hasErrors, inReadingOrder, type Diagnostic, type Result } from "../../diagnostics/index.ts";
import { diffModels, versionAdvice, wholeInterface, type Change, type SpecDiff } from "../../diff/index.ts";
import { loadServiceModel, type ServiceModel } from "../../model/index.ts";
import type { SpecSide, SpecSides } from "./diff-sides.ts";

/** What was compared, with the models that it was compared from. */
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
  const loaded = sides.map((each) => ({ ...each, before: load(each.old), now: load(each.new) }));
  const diagnostics = inReadingOrder(
    loaded.flatMap(({ before, now }) => [...before.diagnostics, ...now.diagnostics]).filter(isError),
  );
  if (hasErrors(diagnostics)) return { diagnostics };
  const compared = loaded.map(({ name, old, new: recent, before, now }): ComparedSpec => {
    const changes = changesBetween(before.value, now.value);
    const version = versionAdvice(changes, clientVersion ?? before.value?.revision ?? "0.0.0");
    return {
      diff: {
        name,
        old: { label: old?.label ?? "nothing", revision: before.value?.revision ?? "none" },
        new: { label: recent?.label ?? "nothing", revision: now.value?.revision ?? "none" },
        changes,
        version,
      },
      ...(before.value === undefined ? {} : { old: before.value }),
      ...(now.value === undefined ? {} : { new: now.value }),
    };
  });
  return { value: compared, diagnostics };
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
