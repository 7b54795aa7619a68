import type { WireRequest } from "../request/build.ts";
import type { Lookup } from "../request/resolve-value.ts";
import type { MethodEntry } from "../suite/suite.ts";
import type { Kind } from "./resource-types.ts";
import type { RuleName } from "./rules.ts";

/** An object that a sequence made, and all that is known of it. */
export interface Thing {
  readonly kind: Kind;
  /** In words: `account 2`. */
  readonly name: string;
  /** Its identifiers, by sample. */
  readonly samples: ReadonlyMap<string, unknown>;
  /** The objects that it was made with, by sample. */
  readonly refs: ReadonlyMap<string, unknown>;
  /** What was said of it last, by meaning. */
  readonly said: Map<string, unknown>;
  /** How it was made, where the interface made it. */
  readonly origin?: { readonly wire: WireRequest; readonly method: MethodEntry; readonly result: unknown };
  /** What reading it gave, by method, and when. */
  readonly seen: Map<string, { readonly text: string; readonly when: string }>;
  /** Counts its changes. */
  changes: number;
  /** Whether it was seen to be as it should since it was made or changed. */
  isSeen: boolean;
  /** The rule that is broken if it turns out to be other than it should. */
  suspect: RuleName;
}

/** What a service should hold of all that a sequence did. */
export interface Model {
  /** A text that is in every free text of the sequence, and nowhere else. */
  readonly tag: string;
  readonly things: Thing[];
  texts: number;
}

export function createModel(tag: string): Model {
  return { tag, things: [], texts: 0 };
}

/** A new text. */
export function newText(model: Model): string {
  model.texts += 1;
  return `${model.tag} ${model.texts}`;
}

export function thingsOf({ things }: Model, kind: Kind): readonly Thing[] {
  return things.filter((thing) => thing.kind.resource.name === kind.resource.name);
}

/**
 * Differs whenever something happened after which an object may read otherwise: a change of its own, or of an object of
 * another kind.
 */
export function versionOf(model: Model, thing: Thing): string {
  const others = model.things.filter(({ kind }) => kind !== thing.kind);
  return `${thing.changes}:${others.reduce((sum, { changes }) => sum + changes, 0)}`;
}

/** Names that requests about an object take their values from. */
export function lookupOf(thing: Pick<Thing, "samples" | "refs">, outer: Lookup): Lookup {
  return (name) => thing.samples.get(name) ?? thing.refs.get(name) ?? outer(name);
}

/** A thing of which nothing is known yet. */
export function newThing(kind: Kind, model: Model): Thing {
  return {
    kind,
    name: nextName(kind, model),
    samples: new Map(),
    refs: new Map(),
    said: new Map(),
    seen: new Map(),
    changes: 0,
    isSeen: false,
    suspect: "reads",
  };
}

export function nextName({ resource }: Kind, { things }: Model): string {
  return `${resource.name} ${things.filter(({ kind }) => kind.resource.name === resource.name).length + 1}`;
}
