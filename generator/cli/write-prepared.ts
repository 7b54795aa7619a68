import { diagnosticJson, hasErrors, inReadingOrder, type Diagnostic } from "../language/diagnostics/index.ts";
import { apply, projectFolder, type ProjectFolder, type WriteReport } from "../output/index.ts";
import type { ProjectConfig } from "./config.ts";
import type { Prepared } from "./prepare.ts";
import { nameOf } from "./select.ts";

/** The result of a run. */
export interface Written {
  /** None where there are errors: then nothing was written. */
  readonly outcomes: readonly Outcome[];
  /** In reading order. */
  readonly diagnostics: readonly Diagnostic[];
  readonly failed: boolean;
}

/** The result for one interface. */
export interface Outcome {
  readonly name: string;
  /** Absent where nothing has changed since the last run. */
  readonly report?: WriteReport;
  readonly unchanged: number;
  readonly elapsedMs: number;
}

/** Writes what was prepared, unless anything of it has an error. `onWritten` is called for each that was. */
export function writePrepared(
  { root }: ProjectConfig,
  prepared: readonly Prepared[],
  onWriting: (spec: string) => void,
  onWritten: (prepared: Prepared) => void,
  folder: ProjectFolder = projectFolder(root),
): Written {
  const found = prepared.flatMap(({ diagnostics }) => diagnostics);
  const outcomes = hasErrors(found)
    ? []
    : prepared.map((each): Outcome => {
        const { target, plan, upToDate = 0, elapsedMs } = each;
        const name = nameOf(target.spec);
        if (plan === undefined) return { name, unchanged: upToDate, elapsedMs };
        onWriting(target.spec);
        const startedAt = performance.now();
        const report = apply(root, plan, folder);
        if (!hasErrors(report.diagnostics)) onWritten(each);
        const { unchanged } = report;
        return { name, report, unchanged, elapsedMs: elapsedMs + performance.now() - startedAt };
      });
  const diagnostics = inReadingOrder([
    ...found,
    ...outcomes.flatMap(({ report }) => report?.diagnostics ?? []),
  ]);
  return { outcomes, diagnostics, failed: hasErrors(diagnostics) };
}

export function writtenJson({ outcomes, diagnostics, failed }: Written): object {
  return {
    ok: !failed,
    interfaces: outcomes.map(({ name, report, unchanged, elapsedMs }) => ({
      name,
      written: report?.written ?? [],
      moved: report?.moved ?? [],
      deleted: report?.deleted ?? [],
      unchanged,
      elapsedMs: Math.round(elapsedMs),
    })),
    diagnostics: diagnostics.map(diagnosticJson),
  };
}
