import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../generator/diagnostics/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";

const root = join(import.meta.dirname, "../..");

/** The specs of this project, and one with every construct there is; folders relative to the project's root. */
export const ownSpecs = ["spec/ledger", "spec/operator", "test/vectors/specs/every-rule"] as const;

/** The specs whose vectors every validator is held against: those and the right ones among the cases. */
export const checkedSpecs: readonly string[] = [
  ...ownSpecs,
  "test/vectors/specs/every-type",
  ...globSync(["test/cases/*/spec/*", "test/cases/generate/*/spec/*"], { cwd: root })
    .map((folder) => folder.replaceAll("\\", "/"))
    .filter((folder) => load(folder).value !== undefined)
    .toSorted(),
];

/** The model of a spec folder of this project, read once for all test files of a process. Throws where the spec has a mistake. */
export function modelOf(folder: string): ServiceModel {
  const known = models.get(folder);
  if (known !== undefined) return known;
  const { value, diagnostics } = load(folder);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  models.set(folder, value);
  return value;
}

const models = new Map<string, ServiceModel>();

function load(folder: string): Result<ServiceModel> {
  return loadServiceModel(folder, (name) =>
    globSync(`${name}/**/*.yaml`, { cwd: root }).map((path) => ({
      path: path.replaceAll("\\", "/"),
      text: readFileSync(join(root, path), "utf8"),
    })),
  );
}
