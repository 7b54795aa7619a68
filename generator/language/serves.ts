import { posix } from "node:path";
import { hasErrors, type Diagnostic, type Reporter } from "./diagnostics/index.ts";
import { compareRevisions } from "./canonical-order.ts";
import type { LoadedSpec, ServedSpec } from "./references/scope.ts";
import type { ServesSpec } from "./spec.ts";
import { isWrittenLike } from "./structure/schema.ts";

/** The result of reading the folder of an earlier spec. */
export interface LoadedFolder {
  readonly spec?: LoadedSpec;
  readonly found: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The earlier revisions that a spec serves, oldest first, and the mistakes of their own specs. Their own lists of
 * earlier revisions no longer count: this spec says which are served.
 */
export function servedOf(
  { spec, interface: own }: LoadedSpec,
  load: (folder: string) => LoadedFolder,
  reporter: Reporter,
): { readonly served: readonly ServedSpec[]; readonly errors: readonly Diagnostic[] } {
  const served = new Map<string, ServedSpec>();
  const errors: Diagnostic[] = [];
  for (const entry of own.serves) {
    const { revision, spec: path } = entry;
    if (!isWrittenLike("revision", revision.value) || path.value === "") continue;
    const earlier = served.get(revision.value);
    if (earlier !== undefined) {
      const related = { span: earlier.entry.revision.span, message: "listed first here" };
      reporter.report("serves-repeated", revision.span, { revision: revision.value }, related);
      continue;
    }
    if (compareRevisions(revision.value, own.revision) >= 0) {
      reporter.report("serves-not-earlier", revision.span, {
        revision: revision.value,
        current: own.revision,
      });
      continue;
    }
    const folder = posix.join(spec.folder, path.value).replace(/(?<=.)\/$/, "");
    const { found, spec: loaded, diagnostics } = load(folder);
    const broken = diagnostics.filter(({ severity }) => severity === "error");
    if (!found) reporter.report("serves-not-found", path.span, { folder });
    else if (loaded === undefined || hasErrors(diagnostics)) {
      errors.push(...broken);
      reporter.report("serves-broken", path.span, { folder, mistakes: broken.length });
    } else if (isTheOneNamed(entry, own.name, loaded, folder, reporter))
      served.set(revision.value, { entry, loaded });
  }
  const oldestFirst = [...served.values()].toSorted((a, b) =>
    compareRevisions(a.entry.revision.value, b.entry.revision.value),
  );
  return { served: oldestFirst, errors };
}

function isTheOneNamed(
  { revision, spec: path }: ServesSpec,
  name: string,
  { interface: earlier }: LoadedSpec,
  folder: string,
  reporter: Reporter,
): boolean {
  if (earlier.name !== name) {
    reporter.report("serves-other-interface", path.span, { folder, name, other: earlier.name });
    return false;
  }
  if (earlier.revision !== revision.value) {
    reporter.report("serves-other-revision", revision.span, {
      folder,
      revision: revision.value,
      other: earlier.revision,
    });
    return false;
  }
  return true;
}
