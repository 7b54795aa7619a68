import type { Result } from "../language/diagnostics/index.ts";
import { createSpecLoader, type LoadOptions, type ReadFolder } from "../language/index.ts";
import { buildModel } from "./build-model.ts";
import type { ServiceModel } from "./service-model.ts";

/**
 * Reads a spec, and the specs it uses, into a model. `specFolder` is relative to the project's root, as are the
 * paths that `readFolder` gives. The diagnostics hold every mistake, in reading order; the model is absent if one of
 * them is an error. Pure but for `readFolder`.
 */
export function loadServiceModel(specFolder: string, readFolder: ReadFolder): Result<ServiceModel> {
  return createModelLoader(readFolder)(specFolder);
}

/** The same for several specs of one run: what more than one of them uses is read once. */
export function createModelLoader(
  readFolder: ReadFolder,
  options?: LoadOptions,
): (specFolder: string) => Result<ServiceModel> {
  const loadSpec = createSpecLoader(readFolder, options);
  return (specFolder) => {
    const { value, diagnostics } = loadSpec(specFolder);
    return value === undefined ? { diagnostics } : { value: buildModel(value), diagnostics };
  };
}
