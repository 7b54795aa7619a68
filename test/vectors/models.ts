import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadServiceModel } from "../../generator/model/index.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";

const root = join(import.meta.dirname, "../..");

/** The specs whose vectors every validator is held against, by folder relative to the project's root. */
export const checkedSpecs = ["spec/ledger", "spec/operator", "test/vectors/specs/every-rule"] as const;

/** The model of a spec folder of this project. Throws where the spec has a mistake. */
export function modelOf(folder: string): ServiceModel {
  const { value, diagnostics } = loadServiceModel(folder, (name) =>
    globSync(`${name}/**/*.yaml`, { cwd: root }).map((path) => ({
      path: path.replaceAll("\\", "/"),
      text: readFileSync(join(root, path), "utf8"),
    })),
  );
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}
