/**
 * `node --import ./test/faults/inject.ts ledger/cli/main.ts start` with FAULT set: the service with one fault. The
 * modules of runtime/server get pipelines and delivery from seams of the test; HTTP is changed at Node's own server and
 * at the pools of undici.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { activeFault } from "./active-fault.ts";
import { changeHttp } from "./http-seam.ts";
import { changeNotifications } from "./notification-seam.ts";

const seams = [
  { imported: /\/pipeline\/index\.ts$/, seam: "pipeline-seam.ts" },
  { imported: /\/delivery\/index\.ts$/, seam: "delivery-seam.ts" },
];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isComposition = /\/runtime\/server\/[^/]+$/.test(context.parentURL ?? "");
    const found = isComposition && seams.find(({ imported }) => imported.test(specifier));
    if (!found) return nextResolve(specifier, context);
    return { url: pathToFileURL(`${import.meta.dirname}/${found.seam}`).href, shortCircuit: true };
  },
});

if (activeFault !== undefined) {
  changeHttp(activeFault);
  changeNotifications(activeFault);
}
