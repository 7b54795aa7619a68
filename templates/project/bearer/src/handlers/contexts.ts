import type { User } from "../auth.ts";
import type { Tasks } from "../tasks.ts";

/** The context that handlers of this folder get besides their payload, and the callers that each scheme finds. */
export interface Contexts {
  readonly read: { readonly tasks: Tasks };
  readonly write: { readonly tasks: Tasks };
  readonly callers: { readonly user: User };
}
