import type {
  AuthSpec,
  ErrorSpec,
  EventSpec,
  FaultsSpec,
  InterfaceSpec,
  ServesSpec,
  Spec,
  TypeSpec,
} from "../spec.ts";

/** A spec with the specs that it uses. */
export interface LoadedSpec {
  readonly spec: Spec;
  readonly interface: InterfaceSpec;
  readonly scope: Scope;
  /** The earlier revisions that are served beside it, oldest first. */
  readonly serves: readonly ServedSpec[];
}

/** An earlier revision that a spec still serves, and where it says so. */
export interface ServedSpec {
  readonly entry: ServesSpec;
  readonly loaded: LoadedSpec;
}

/** Everything that a spec may refer to by name: its own definitions and those of the specs it uses. */
export interface Scope {
  readonly types: ReadonlyMap<string, TypeSpec>;
  readonly errors: ReadonlyMap<string, ErrorSpec>;
  readonly events: ReadonlyMap<string, EventSpec>;
  /** Its own, or else those of the one used spec that has them. */
  readonly auth?: AuthSpec;
  readonly faults?: FaultsSpec;
  /** The interface that `auth` is of: this one, or one that it uses. */
  readonly authOwner?: InterfaceSpec;
}
