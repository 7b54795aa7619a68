/**
 * The effect of a call on state: `read` changes nothing; `set` reaches the same end state however often it is
 * repeated; `create` makes something new each time, so its repetitions are recognised.
 */
export type Effect = "read" | "set" | "create";

/** A member of `params.api`, by the name that the spec gives it: `credential`, `keyId` (section 5.1). */
export type AuthMember = string;

/** One field of a documented object, in document order. */
export interface FieldShape {
  /** The canonical name: the one of the document's parameter table. */
  readonly name: string;
  /** Other names accepted in requests beyond case variants of `name` and of each other. */
  readonly spellings?: readonly string[];
  /** The second name under which a response repeats the value. */
  readonly alsoSentAs?: string;
  /** A decimal number whose digits must survive. */
  readonly exact?: true;
  /** Never logged, never echoed in an error. */
  readonly sensitive?: true;
  /** The shape of the value, or of the items where the value is an array. A thunk, because types may recurse. */
  readonly shape?: () => ObjectShape;
}

/** The named fields of an object, in document order. */
export interface ObjectShape {
  readonly fields: readonly FieldShape[];
}

/** An error of a validator, with the keyword, place and parameters that Ajv gives it. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A compiled validator: answers whether the value fits; after a `false`, `errors` says where not. */
export interface PayloadValidator {
  (value: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}

/** An error code as the spec declares it. */
export interface ErrorDescriptor {
  readonly code: string;
  /** The text sent; `{field}` stands for the failing field's documented name. */
  readonly message: string;
  /** HTTP status under `errors.httpStatus: mapped`. */
  readonly httpStatus: number;
  /** The JSON-RPC 2.0 integer sent as `data.rpcCode`. */
  readonly rpcCode: number;
  /** The `error.code` on the wire, where it is a number, or digits, instead of the name. */
  readonly wireCode?: number | string;
}

/** An operation that travels in the request envelope of section 1. */
export interface EnvelopedTransport {
  readonly kind: "enveloped";
  /** The `params.api` members that this operation requires. */
  readonly auth: readonly AuthMember[];
  /** Whether the success response carries `jsonrpc: "2.0"`. */
  readonly jsonrpc: boolean;
  /** Whether the success response carries `error: null`. */
  readonly nullError?: true;
  /** Pattern of the ids of its requests, in place of the interface's. */
  readonly requestId?: string;
}

/** An operation with a flat body (4.15, 4.16), selected by the presence of any of these fields. */
export interface FlatTransport {
  readonly kind: "flat";
  /** None: every body at the method's own path is this operation. */
  readonly selectedBy: readonly string[];
  /** The values by which these fields select it, of each that another operation has too: absent, all of them do. */
  readonly only?: Readonly<Record<string, HeldValue>>;
}

/** One of these values, or any of a type of JSON. */
export type HeldValue =
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly type: "string" | "number" | "boolean" | "array" | "object" };

/** Everything the pipeline needs to know of one operation. Generated from the spec. */
export interface MethodDescriptor {
  readonly name: string;
  readonly section: string;
  readonly effect: Effect;
  /** Where it is not at the path of its interface. */
  readonly path?: string;
  readonly transport: EnvelopedTransport | FlatTransport;
  readonly payload: ObjectShape;
  readonly result: ObjectShape;
  readonly validate: PayloadValidator;
  /** Validates the result of the handler, as it is sent. Absent: results are not validated. */
  readonly validateResult?: PayloadValidator;
  /** Every code this operation can answer with, with its exact message. */
  readonly errors: Readonly<Record<string, ErrorDescriptor>>;
}

/** The conditions the pipeline itself detects; the spec names the code each is reported as. */
export type Fault =
  | "badInput"
  | "unauthorized"
  | "badCredential"
  | "unknownKey"
  | "invalidSignature"
  | "conflict"
  | "rateLimited"
  | "unavailable"
  | "internal";

/** A member of a notification: a constant, or what a field of the payload holds. */
export type EventMember = {
  readonly name: string;
  /** The values of a field of the payload with which it is there; with others it is absent. */
  readonly when?: { readonly field: string; readonly values: readonly (string | boolean)[] };
} & ({ readonly repeats: string } | { readonly const: string | number | boolean });

/** One signed interface: its operations and the codes of its faults. Generated from the spec. */
export interface SignedInterfaceDescriptor {
  readonly protocol: "signed-envelope";
  readonly name: string;
  readonly revision: string;
  /** Request path, `/jsonrpc`. */
  readonly path: string;
  readonly methods: Readonly<Record<string, MethodDescriptor>>;
  readonly errors: Readonly<Record<string, ErrorDescriptor>>;
  readonly faults: Readonly<Record<Fault, string>>;
  /** Name of the authentication scheme: `signedEnvelope`. The runtime has a table of them. */
  readonly authScheme: string;
  /** Members of notifications beside those of every one, by name of the event; a `source` replaces that one. */
  readonly eventMembers?: Readonly<Record<string, readonly EventMember[]>>;
  /** Names of the members that hold the payloads of notifications, by name of the event, where they are not `payload`. */
  readonly eventPayloadNames?: Readonly<Record<string, string>>;
  /** Pattern of the ids of requests; absent: any text of 1 to 128 characters. */
  readonly requestId?: string;
  /** The members of `params.api`, and the code answered when one is missing or malformed. */
  readonly missingAuth: Readonly<Record<AuthMember, string>>;
}

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
