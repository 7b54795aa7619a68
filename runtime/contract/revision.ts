import type { SignedInterfaceDescriptor, ObjectShape } from "./method.ts";

/**
 * An earlier revision that is served beside the current one. Its calls become calls of the next served revision, and
 * so on to the current one. Answers and events go the same way back. Generated from both specs.
 */
export interface ServedRevision {
  readonly interfaceDescriptor: SignedInterfaceDescriptor;
  /** By the name that the method has in this revision. */
  readonly methods: Readonly<Record<string, MethodAdapter>>;
  /** By the name that the event has in the next revision. Events that this one does not know are absent. */
  readonly events: Readonly<Record<string, EventAdapter>>;
}

/** How calls of one method are converted; what needs no conversion is absent. */
export type MethodAdapter = ConvertedMethod | RemovedMethod;

export interface ConvertedMethod {
  /** Its name in the next revision. */
  readonly method: string;
  /** Makes a payload of this revision one of the next. Written as a method, so that its types may be forgotten. */
  up?(payload: object): object;
  /** Makes a result of the next revision one of this. */
  down?(result: object): object;
  /** Whether the next revision may refuse what this one takes: then the payload is validated once more. */
  readonly checked?: true;
  /** Makes a payload that the next revision refuses one that it takes: it is validated again then. */
  adapt?(payload: object): object;
  /** Codes of the next revision that this one does not know, each with the one sent instead. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The error by which the next revision says that a page has no items, and the result that this one has for it. */
  readonly emptyPage?: { readonly code: string; result(): object };
  /** Fields of another name, by JSON Pointer into the next revision's payload, `*` for an index: their name here. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** A method that the next revision does not have: people have written what its callers get. */
export interface RemovedMethod {
  handler(payload: object, context: object): Promise<unknown>;
}

/** How the payload of an event is converted. */
export interface EventAdapter {
  /** The event's name in this revision. */
  readonly name: string;
  /** The fields of its payload in the next revision, and in this one. */
  readonly from: ObjectShape;
  readonly to: ObjectShape;
  down?(payload: object): object;
}

/**
 * A value that the next revision may refuse although this one accepts it, passed on unchanged. The next revision's
 * validator refuses it, and the caller is answered in the words of this one.
 */
export function passedOn<T>(value: unknown): T;
export function passedOn(value: unknown): unknown {
  return value;
}
