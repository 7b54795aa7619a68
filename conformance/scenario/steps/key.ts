import { newKeyPair } from "../../request/sign.ts";
import type { ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

/** Makes a key pair: `privateKeyPem` and `publicKeyPem`. */
export function runKey({ as }: StepOf<"key">, run: ScenarioRun): void {
  run.keep(as, newKeyPair());
}
