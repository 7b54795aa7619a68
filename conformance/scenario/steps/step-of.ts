import type { Step } from "../../suite/step.ts";

/** The step of one kind. */
export type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;
