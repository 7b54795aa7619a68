import type { EmitLayout, FileDraft } from "../emitter.ts";

/** `contexts.ts`: written once; from then on the application says there what its handlers are given. */
export function contextsStub(layout: EmitLayout): FileDraft {
  return { path: contextsModule(layout), ownership: "stub", text };
}

export function contextsModule(layout: EmitLayout): string {
  return `${layout.handlers}/contexts.ts`;
}

const text = `/** The contexts that handlers of this folder get besides their payload, by what their method does to state. */
export interface Contexts {
  readonly read: object;
  readonly write: object;
}
`;
