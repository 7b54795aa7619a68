import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../generator/language/diagnostics/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";
import { sourceText, type SourceText } from "../../generator/language/source/index.ts";

const root = join(import.meta.dirname, "../..");

/** The specs of this project, and one with every construct there is; folders relative to the project's root. */
export const ownSpecs = ["spec/ledger", "spec/operator", "test/vectors/specs/every-rule"] as const;

/** The model of a spec folder of this project, read once for all test files of a process. Throws where the spec has a mistake. */
export function modelOf(folder: string): ServiceModel {
  const { value, diagnostics } = load(folder);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

const models = new Map<string, Result<ServiceModel>>();

function load(folder: string): Result<ServiceModel> {
  const known = models.get(folder) ?? loadServiceModel(folder, sourcesIn);
  models.set(folder, known);
  return known;
}

const sources = new Map<string, readonly SourceText[]>();

/** The same sources each time: what specs share is parsed once. */
function sourcesIn(folder: string): readonly SourceText[] {
  const known =
    sources.get(folder) ??
    globSync(`${folder}/**/*.yaml`, { cwd: root }).map((path) =>
      sourceText(path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")),
    );
  sources.set(folder, known);
  return known;
}

/** The specs whose vectors every validator is held against: those and the right ones among the cases. */
export function checkedSpecs(): readonly string[] {
  return [
    ...ownSpecs,
    "test/vectors/specs/every-type",
    ...globSync(["test/cases/*/spec/*", "test/cases/generate/*/spec/*"], { cwd: root })
      .map((folder) => folder.replaceAll("\\", "/"))
      .filter((folder) => load(folder).value !== undefined)
      .toSorted(),
  ];
}
