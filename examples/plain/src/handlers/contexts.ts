import type { Tasks } from "../tasks.ts";

/** The contexts that handlers of this folder get besides their payload, by what their method does to state. */
export interface Contexts {
  readonly read: { readonly tasks: Tasks };
  readonly write: { readonly tasks: Tasks };
}
