import type { Caller } from "../callers.ts";
import type { Tasks } from "../tasks.ts";

/** What the handlers of this folder are given besides their payload, and who the callers are that each scheme finds. */
export interface Contexts {
  readonly read: { readonly tasks: Tasks };
  readonly write: { readonly tasks: Tasks };
  readonly callers: { readonly caller: Caller };
}
