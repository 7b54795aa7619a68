import { diagnosticOf, type Diagnostic } from "../../language/diagnostics/index.ts";
import type { Change } from "../../diff/index.ts";
import type { EmitLayout } from "../../targets/emitter.ts";
import {
  adapterPlans,
  byHandModule,
  unwrittenName,
  type AdapterPlan,
  type HandWritten,
} from "../../targets/revisions/hand-written.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import type { HandFiles } from "./hand-files.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** Diagnostics on functions that people write to convert between revisions. */
export interface AdapterDiagnostics {
  /** Functions without which earlier revisions cannot be served, one diagnostic for each change. */
  readonly needed: readonly Diagnostic[];
  /** Requests of earlier revisions that are refused, and files that nothing needs. */
  readonly others: readonly Diagnostic[];
}

export function adapterDiagnostics(
  model: ServiceModel,
  layout: EmitLayout,
  files: HandFiles,
): AdapterDiagnostics {
  const plans = adapterPlans(model);
  return {
    needed: adaptersNeeded(plans, layout, files),
    others: [...orphanAdapters(plans, model, layout, files), ...oldCallsRefused(plans, layout, files)],
  };
}

function adaptersNeeded(
  plans: readonly AdapterPlan[],
  layout: EmitLayout,
  files: HandFiles,
): readonly Diagnostic[] {
  return plans.flatMap(({ old, handWritten }) => {
    const path = byHandModule(layout, old);
    const text = files.get(path)?.toString();
    return handWritten
      .filter(({ isOptional }) => isOptional !== true)
      .filter(({ name }) => text === undefined || isUnwritten(text, name, old.revision))
      .flatMap((asked) => findings(asked, old.revision, path));
  });
}

/** Changes by which the next revision refuses requests of an earlier one, as long as nobody says what becomes of these. */
function oldCallsRefused(
  plans: readonly AdapterPlan[],
  layout: EmitLayout,
  files: HandFiles,
): readonly Diagnostic[] {
  return plans.flatMap(({ old, handWritten }) => {
    const path = byHandModule(layout, old);
    const text = files.get(path)?.toString() ?? "";
    return handWritten
      .filter(({ isOptional, name }) => isOptional === true && !mentions(text, name))
      .flatMap(({ name, changes }) =>
        changes.map(({ rule, path: at, summary, ...change }) => {
          const params = { revision: old.revision, name, file: path, rule, at, summary };
          const span = change.new ?? change.near ?? change.old;
          return omitUndefined({ ...diagnosticOf("old-calls-refused", params, { path }), span });
        }),
      );
  });
}

/** Files for revisions that are not served, or of which nothing is left to be said by people. */
function orphanAdapters(
  plans: readonly AdapterPlan[],
  model: ServiceModel,
  { handlers, ...layout }: EmitLayout,
  files: HandFiles,
): readonly Diagnostic[] {
  const wanted = new Set(
    plans
      .filter(({ handWritten }) => handWritten.length > 0)
      .map(({ old }) => byHandModule({ ...layout, handlers }, old)),
  );
  const served = new Set(model.serves?.map((each) => each.model.revision));
  return [...files.keys()].flatMap((path) => {
    const revision = /^\/revisions\/(\d+\.\d+\.\d+)\.ts$/.exec(path.slice(handlers.length))?.[1];
    if (revision === undefined || wanted.has(path)) return [];
    return diagnosticOf("orphan-adapter", { revision, isServed: served.has(revision) }, { path });
  });
}

/** Whether a file does not speak of a function, or still has it as it was created. The compiler sees the rest. */
function isUnwritten(text: string, name: string, revision: string): boolean {
  return !mentions(text, name) || text.includes(unwrittenName(name, revision));
}

function mentions(text: string, name: string): boolean {
  const escaped = name.replaceAll("$", "\\$");
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(text);
}

function findings(asked: HandWritten, revision: string, file: string): readonly Diagnostic[] {
  const { name, changes } = asked;
  const finding = (change: Change | undefined): Diagnostic =>
    diagnosticOf(
      "adapter-needed",
      { revision, name, file, rule: change?.rule, at: change?.path, summary: change?.summary },
      { path: file },
    );
  if (changes.length === 0) return [finding(undefined)];
  return changes.map((change) => {
    const span = change.new ?? change.near ?? change.old;
    const related = { span: change.old, message: `as it was in ${revision}` };
    return omitUndefined({
      ...finding(change),
      span,
      ...omitUndefined({
        related:
          related.span === undefined || related.span === span
            ? undefined
            : { span: related.span, message: related.message },
      }),
    });
  });
}
