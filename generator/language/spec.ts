import type { Span } from "./source/index.ts";
import type { Node } from "./syntax/index.ts";
import type { DocumentedSpec, Located, Name } from "./documented-spec.ts";
import type { ErrorSpec, EventSpec, MethodSpec, ParamsStyle, SecuritySpec } from "./method-spec.ts";
import type { TypeSpec } from "./shape-spec.ts";
import type { Protocol } from "./structure/protocols.ts";

export type * from "./documented-spec.ts";
export * from "./shape-spec.ts";
export type * from "./method-spec.ts";

/**
 * The files of one folder, merged. A part that could not be read is absent or `unknown`: it has been reported, and
 * nothing that depends on it is reported again.
 */
export interface Spec {
  readonly folder: string;
  readonly interfaces: readonly InterfaceSpec[];
  readonly types: readonly TypeSpec[];
  readonly methods: readonly MethodSpec[];
  readonly errors: readonly ErrorSpec[];
  readonly events: readonly EventSpec[];
  readonly states: readonly StateMachineSpec[];
  readonly rules: readonly RuleSpec[];
  readonly resources: readonly ResourceSpec[];
  readonly scenarios: readonly ScenarioSpec[];
  readonly requirements: readonly RequirementSpec[];
  /** The types that objects of it include; absent where none does. */
  readonly included?: ReadonlySet<string>;
}

export interface InterfaceSpec extends DocumentedSpec {
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  readonly path: string;
  readonly wire: WireSpec;
  readonly uses: readonly Name[];
  /** Folders of specs whose definitions are its own, too. */
  readonly extends: readonly Name[];
  readonly serves: readonly ServesSpec[];
  readonly services: readonly ServiceSpec[];
  readonly auth?: AuthSpec;
  readonly faults?: FaultsSpec;
  readonly schemes: readonly SchemeSpec[];
  /** The security of every method without one of its own. */
  readonly security?: SecuritySpec;
}

/** An authentication scheme. */
export interface SchemeSpec extends DocumentedSpec {
  readonly name: Name;
  readonly kind?: Name;
  /** Every key but those of all schemes, as written. */
  readonly options: readonly { readonly name: Name; readonly value: Node }[];
}

/** How calls travel. What is absent has a default of the protocol. */
export interface WireSpec {
  /** The key `wire`, if present. */
  readonly span?: Span;
  readonly protocol: Protocol;
  readonly params?: Located<ParamsStyle>;
  readonly http?: {
    readonly span: Span;
    readonly path?: string;
    readonly status?: "ok" | "mapped";
    readonly notified?: number;
  };
  readonly batch?: boolean | { readonly max: number };
  readonly transports?: readonly Name[];
  /** The pattern of request ids. */
  readonly requestId?: Located<string>;
  /** Whether an answer with a result has `error: null` too. */
  readonly nullError?: true;
}

/** An earlier revision that is still served. */
export interface ServesSpec {
  readonly revision: Name;
  /** Folder of its spec, relative to this one's. */
  readonly spec: Name;
  readonly section?: string;
  readonly decisions: readonly string[];
}

export interface ServiceSpec extends DocumentedSpec {
  readonly name: Name;
}

export interface AuthSpec {
  readonly span: Span;
  readonly scheme?: Name;
  readonly members: readonly (DocumentedSpec & { readonly name: Name; readonly missing?: Name })[];
  readonly headers: readonly (DocumentedSpec & { readonly name: Name; readonly format: string })[];
}

export interface FaultsSpec {
  readonly span: Span;
  readonly codes: readonly { readonly fault: Name; readonly code: Name }[];
}

export interface StateMachineSpec extends DocumentedSpec {
  readonly name: Name;
  readonly type: Name;
  readonly transitions: readonly TransitionSpec[];
}

export interface TransitionSpec extends DocumentedSpec {
  readonly from: Name;
  readonly to: Name;
  readonly by?: Name;
  readonly condition?: string;
  readonly effects: readonly string[];
}

export interface RuleSpec extends DocumentedSpec {
  readonly id: Name;
}

export interface ResourceSpec extends DocumentedSpec {
  readonly name: Name;
  readonly absent?: Name;
  readonly samples: readonly { readonly name: Name; readonly doc: string }[];
  readonly made?: { readonly steps: readonly Node[]; readonly gives: readonly (readonly [Name, string])[] };
  readonly kept?: { readonly before: readonly Node[]; readonly after: readonly Node[] };
  readonly removed: readonly { readonly operation: Name; readonly steps: readonly Node[] }[];
}

export interface ScenarioSpec extends DocumentedSpec {
  readonly name: Name;
  readonly about: readonly Name[];
  readonly level?: string;
  readonly alone: boolean;
  readonly steps: readonly Node[];
}

export interface RequirementSpec extends DocumentedSpec {
  readonly id: Name;
  /** Packed ids. */
  readonly cases: readonly Name[];
  readonly untested?: string;
}
