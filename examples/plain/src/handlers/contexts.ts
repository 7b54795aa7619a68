import type { Tasks } from "../tasks.ts";

/** What the handlers of this folder are given besides their payload, by what their method does to state. */
export interface Contexts {
  readonly read: { readonly tasks: Tasks };
  readonly write: { readonly tasks: Tasks };
}
