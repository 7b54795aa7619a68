import type { ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

/** Names a caller, whom `signer` of a call then takes. */
export function runCaller(step: StepOf<"caller">, run: ScenarioRun): void {
  const identity = {
    userName: String(run.resolve(step.userName)),
    apiKey: String(run.resolve(step.apiKey)),
    keyId: String(run.resolve(step.keyId)),
    privateKeyPem: String(run.resolve(`{{${step.key}.privateKeyPem}}`)),
  };
  run.identities.set(step.as, identity);
  run.keep(step.as, identity);
}
