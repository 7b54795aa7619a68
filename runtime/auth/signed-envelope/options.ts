import type { AuthServices } from "../../ports/index.ts";

export interface SignedEnvelopeOptions {
  /** The one method that a key not yet registered may sign: the key is the PEM in `field` of its payload (D-21). */
  readonly proofOfPossession?: { readonly method: string; readonly field: string };
}

/** What the steps share. */
export type StepOptions = AuthServices & SignedEnvelopeOptions;
