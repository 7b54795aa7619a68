import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allCases } from "../../conformance/cases/all-cases.ts";
import type { LoadedSuite, Suite } from "../../conformance/index.ts";
import { emitter } from "../../generator/targets/conformance/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";

/** What the generator makes of `library.yaml`. */
export const librarySuite: LoadedSuite = suiteOf(
  readFileSync(join(import.meta.dirname, "library.yaml"), "utf8"),
);

/** The suite that the generator makes of a spec in one file. @throws Error with the diagnostics */
export function suiteOf(yaml: string): LoadedSuite {
  const { value, diagnostics } = loadServiceModel("library", () => [
    sourceText("library/library.yaml", yaml),
  ]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return suiteFrom(value);
}

/** What the generator makes of a model. */
export function suiteFrom(value: ServiceModel): LoadedSuite {
  const layout = { out: "out", handlers: "handlers", contract: "contract.ts" };
  const [suite = "", cases = ""] = emitter.emit(value, layout).map(({ text }) => text);
  const entries: Suite = JSON.parse(suite);
  const lines = cases.split("\n").filter((line) => line !== "");
  return {
    suite: entries,
    cases: allCases(
      entries,
      lines.map((line) => JSON.parse(line)),
    ),
  };
}
