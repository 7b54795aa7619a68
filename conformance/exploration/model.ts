import type { WireRequest } from "../request/wire-request.ts";
import type { Lookup } from "../request/resolve-value.ts";
import type { MethodEntry } from "../suite/suite.ts";
import type { ResourceType } from "./resource-types.ts";
import type { RuleName } from "./rules.ts";

/** An object that a sequence made, and all that is known of it. */
export interface Resource {
  readonly type: ResourceType;
  /** In words: `account 2`. */
  readonly name: string;
  /** Its identifiers, by sample. */
  readonly samples: ReadonlyMap<string, unknown>;
  /** The objects that it was made with, by sample. */
  readonly refs: ReadonlyMap<string, unknown>;
  /** Values sent last, by the meaning of their field. */
  readonly expected: Map<string, unknown>;
  /** How it was made, where the interface made it. */
  readonly origin?: { readonly wire: WireRequest; readonly method: MethodEntry; readonly result: unknown };
  /** The last answer of each method that reads it, and when. */
  readonly seen: Map<string, { readonly text: string; readonly when: string }>;
  /** Counts its changes. */
  changes: number;
  /** Whether it was seen to be as it should since it was made or changed. */
  isSeen: boolean;
  /** The rule that is broken if it turns out to be other than it should. */
  blamedRule: RuleName;
}

/** The state that a service should have after all that a sequence did. */
export interface Model {
  /** A text that is in every free text of the sequence, and nowhere else. */
  readonly tag: string;
  readonly resources: Resource[];
  texts: number;
}

export function createModel(tag: string): Model {
  return { tag, resources: [], texts: 0 };
}

/** A new text. */
export function newText(model: Model): string {
  model.texts += 1;
  return `${model.tag} ${model.texts}`;
}

export function resourcesOf({ resources }: Model, kind: ResourceType): readonly Resource[] {
  return resources.filter((resource) => resource.type.entry.name === kind.entry.name);
}

/**
 * Differs whenever something happened after which an object may read otherwise: a change of its own, or of an object of
 * another kind.
 */
export function versionOf(model: Model, resource: Resource): string {
  const others = model.resources.filter(({ type }) => type !== resource.type);
  return `${resource.changes}:${others.reduce((sum, { changes }) => sum + changes, 0)}`;
}

/** Names that requests about an object take their values from. */
export function lookupOf(resource: Pick<Resource, "samples" | "refs">, outer: Lookup): Lookup {
  return (name) => resource.samples.get(name) ?? resource.refs.get(name) ?? outer(name);
}

/** A new resource without known members. */
export function newResource(type: ResourceType, model: Model): Resource {
  return {
    type,
    name: nextName(type, model),
    samples: new Map(),
    refs: new Map(),
    expected: new Map(),
    seen: new Map(),
    changes: 0,
    isSeen: false,
    blamedRule: "reads",
  };
}

export function nextName({ entry }: ResourceType, { resources }: Model): string {
  return `${entry.name} ${resources.filter(({ type }) => type.entry.name === entry.name).length + 1}`;
}
