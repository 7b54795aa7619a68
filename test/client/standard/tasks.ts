import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emitter } from "../../../generator/targets/client/index.ts";
import { emitter as fakes } from "../../../generator/targets/fakes/index.ts";
import { loadServiceModel } from "../../../generator/model/build-model.ts";
import type { ServiceModel } from "../../../generator/model/service-model.ts";
import { sourceText } from "../../../generator/language/source/index.ts";

const path = join(import.meta.dirname, "spec/tasks.yaml");
export const tasksLayout = {
  out: "generated/tasks",
  handlers: "bodies/tasks",
  contract: "runtime/contract/index.ts",
};

/** The interface of these tests; texts of its spec may be replaced. */
export function tasksModel(...replaced: readonly (readonly [from: string, to: string])[]): ServiceModel {
  const text = replaced.reduce((spec, [from, to]) => spec.replace(from, to), readFileSync(path, "utf8"));
  const { value, diagnostics } = loadServiceModel("spec", () => [sourceText("spec/tasks.yaml", text)]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

/** The files of its client and of its fakes. */
export function tasksClient(model = tasksModel()) {
  return [...emitter.emit(model, tasksLayout), ...fakes.emit(model, tasksLayout)];
}
