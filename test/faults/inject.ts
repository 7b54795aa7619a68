/**
 * `node --import ./test/faults/inject.ts runtime/cli/main.ts start` with FAULT set: the service with one fault. Modules
 * are changed as they are loaded, and the composition gets its pipelines from a seam of the test.
 */
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { activeFault } from "./active-fault.ts";
import { patched } from "./patched.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const seam = pathToFileURL(`${root}test/faults/pipeline-seam.ts`).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSeam =
      specifier === "../pipeline/index.ts" &&
      context.parentURL?.endsWith("/runtime/server/compose.ts") === true;
    return isSeam ? { url: seam, shortCircuit: true } : nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith("file:")) return loaded;
    const file = relative(root, fileURLToPath(url)).replaceAll("\\", "/");
    const patches = (activeFault?.patches ?? []).filter((patch) => patch.file === file);
    if (patches.length === 0 || loaded.source === undefined || loaded.source === null) return loaded;
    return { ...loaded, source: patched(loaded.source.toString(), patches) };
  },
});
