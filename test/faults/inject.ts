/**
 * `node --import ./test/faults/inject.ts ledger/cli/main.ts start` with FAULT set: the service with one fault. The
 * modules of runtime/server get pipelines and delivery from seams of the test; HTTP is changed at Node's own server and
 * at the pools of undici.
 */
import { registerHooks } from "node:module";
import { activeFault } from "./active-fault.ts";
import { changeHttp } from "./http-seam.ts";
import { changeNotifications } from "./notification-seam.ts";
import { seams } from "./seams.ts";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isComposition = /\/runtime\/server\/[^/]+$/.test(context.parentURL ?? "");
    const seam = isComposition ? seams.get(resolved.url) : undefined;
    return seam === undefined ? resolved : { url: seam, shortCircuit: true };
  },
});

if (activeFault !== undefined) {
  changeHttp(activeFault);
  changeNotifications(activeFault);
}
