import { createMemo, keyOf } from "../../print/memo.ts";
import type { EmitLayout, Emitter, FileDraft } from "../emitter.ts";
import { emitter as errors } from "../errors/index.ts";
import { emitter as methods } from "../methods/index.ts";
import { shapesModule } from "../shapes/index.ts";
import { emitter as types } from "../types/index.ts";
import { emitter as validators } from "../validators/index.ts";
import { adapterDraft } from "./adapter-module.ts";
import { byHandStub } from "./by-hand-stub.ts";
import { revisionLayout } from "./layout.ts";
import { adapterPlans, type AdapterPlan } from "./plan.ts";

/**
 * `revisions/<revision>/`: what it takes to serve an earlier revision, and the adapter that makes its calls those of
 * the next; and, in the folder of hand-written bodies, one file for what cannot be generated.
 */
export const emitter: Emitter = {
  name: "revisions",
  emit: (model, layout) =>
    adapterPlans(model).flatMap((plan) => [
      ...earlierModules(plan, revisionLayout(layout, plan.old.revision)),
      adapterDraft(plan, model, layout),
      ...(plan.handWritten.length === 0 ? [] : [byHandStub(plan, layout)]),
    ]),
};

function earlierModules({ old }: AdapterPlan, layout: EmitLayout): readonly FileDraft[] {
  return modules.of(
    () => `${keyOf(old)} ${JSON.stringify(layout)}`,
    () => [
      ...[types, errors, methods].flatMap((each) => each.emit(old, layout)),
      shapesModule(old, layout, true),
      ...validators.emit(old, layout).filter(({ path }) => isForRequests(path, layout)),
    ],
  );
}

/** An earlier revision does not change with the one that is worked on. */
const modules = createMemo<readonly FileDraft[]>();

/** Answers and events of an earlier revision are printed by their shapes; only requests are checked. */
function isForRequests(path: string, { out }: EmitLayout): boolean {
  return /\.payload\.(?:d\.ts|js)$/.test(path) || path.startsWith(`${out}/validators/support.`);
}
