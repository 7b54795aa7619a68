import { NotPossible, type ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

/** Opens an address for events. @throws NotPossible */
export async function runReceiver({ as, refuses }: StepOf<"receiver">, run: ScenarioRun): Promise<void> {
  const { receiver } = run.environment;
  if (receiver === undefined)
    throw new NotPossible("needs an address that the service can send events to: see --callback-url");
  const inbox = await receiver.open(refuses);
  run.inboxes.set(as, { inbox, taken: new Set() });
  run.keep(as, { url: inbox.url });
}
