import type {
  ErrorModel,
  EventModel,
  JsonRpcTransport,
  MethodModel,
  ServiceModel,
} from "../model/service-model.ts";
import type { PagedList } from "../targets/client/names.ts";
import type { DocumentWithComponents } from "../print/ascii-components.ts";
import type { MethodEntry, Suite } from "../../conformance/suite/suite.ts";
import type { Access } from "../../conformance/request/access.ts";
import type { Diagnostic } from "../language/diagnostics/index.ts";
import type { InterfaceNames } from "../print/interface-names.ts";
import type { JsonSchema, JsonSchemas } from "../print/json-schema/json-schema.ts";
import type { Printable } from "../print/layout.ts";
import type { Page } from "../targets/reference/page.ts";
import type { PageContext } from "../targets/reference/page-context.ts";
import type { Snippet } from "../targets/reference/snippets.ts";
import type { CaseList } from "../targets/conformance/case-list.ts";
import type { EmitLayout, FileDraft } from "../targets/emitter.ts";

/** How calls of an interface travel, as the generator sees it: `facts.ts` of the protocol's folder beside this file. */
export interface Protocol {
  /** Its name, as `wire.protocol` of a spec has it. */
  readonly protocol: string;
  /** Names of the targets that have nothing to print for it, beside those of the parts that it lacks. */
  readonly without: readonly string[];
  /** What `error.code` is on the wire. */
  readonly errorCode: "name" | "number";
  /** Whether callers sign their calls with a key of their own. */
  readonly isSigned: boolean;
  /** Whether events are posted to addresses of the callers; otherwise they come over a caller's connection. */
  readonly postsEvents: boolean;
  /** How callers reach the interface. */
  transports(model: ServiceModel): readonly JsonRpcTransport[];
  /** Whether names of fields match in any case. */
  readonly ignoresCase: boolean;
  /** Where a spec says the path of the endpoint, as keys below `interface`. */
  readonly pathKeys: readonly string[];
  /** Whether `types.ts` has a type for what each event carries. */
  readonly typesEvents: boolean;
  /** Whether an error may be answered with an HTTP status of its own; otherwise every status is 200. */
  sendsStatuses(model: ServiceModel): boolean;
  readonly exchange: ExchangeTexts;
  /** The members by which a caller reaches each method and each list through the generated client. */
  clientMembers(model: ServiceModel): ClientMembers;
}

/** The messages of one call, as values to be shown. Secrets are `…`. */
export interface ExchangeTexts {
  request(method: MethodModel, payload: unknown, model: ServiceModel): unknown;
  answer(method: MethodModel, result: unknown, model: ServiceModel): unknown;
  /** Of a call of a method, where one is meant. */
  failure(error: ErrorModel, message: string, model: ServiceModel, method?: MethodModel): unknown;
}

export interface ClientMembers {
  readonly methods: readonly { readonly method: MethodModel; readonly member: string }[];
  readonly lists: readonly PagedList[];
}

/**
 * What targets print differently for each protocol: `parts.ts` of its folder. Targets of an absent part print nothing
 * for it. Files of a part import no target's `index.ts`.
 */
export interface Parts {
  /** Its name, as `wire.protocol` of a spec has it. */
  readonly protocol: string;
  readonly cases?: CasesPart;
  readonly client?: ClientPart;
  readonly documents?: DocumentsPart;
  readonly collection?: CollectionPart;
  readonly reference?: ReferencePart;
  readonly server?: ServerPart;
}

/** The conformance suite. */
export interface CasesPart {
  /** The method by which the endpoint as a whole is tried; undefined where none can be. */
  probe(model: ServiceModel): MethodModel | undefined;
  /** How calls travel, errors look and faults are called, for the runner. */
  wire(model: ServiceModel): Pick<Suite, "wire" | "requestId" | "errors" | "faults">;
  transport(method: MethodModel): MethodEntry["transport"];
  /** Adds the cases of the protocol itself. */
  add(list: CaseList): void;
}

/** The generated client. */
export interface ClientPart {
  /** The names that two items of the interface would share in the client. */
  clashes(model: ServiceModel): readonly Diagnostic[];
  /** The files of the package by name. */
  files(model: ServiceModel, folder: string, wanted: WantedEntries): Readonly<Record<string, string>>;
  /** The files of `testing`, which plays the service. */
  fakes(model: ServiceModel, folder: string): Readonly<Record<string, string>>;
}

/** The entries of the package beside its first. */
export interface WantedEntries {
  readonly zod: boolean;
  readonly fakes: boolean;
}

/** Documents for tools that know nothing of this generator. */
export interface DocumentsPart {
  openRpc(model: ServiceModel): object;
  /** OpenAPI documents by file name. */
  openApi(model: ServiceModel): Readonly<Record<string, DocumentWithComponents>>;
  readonly events: {
    /** How events reach callers. */
    readonly channel: string;
    message(event: EventModel, content: JsonSchema, schemas: JsonSchemas, model: ServiceModel): JsonSchema;
  };
}

/** Requests for Postman and Bruno. */
export interface CollectionPart {
  /** The scripts of `templates/collection` that sign a request. */
  readonly script?: string;
  /** The variables that the scripts ask for. */
  readonly variables: readonly string[];
  headers(method: MethodModel, model: ServiceModel): Readonly<Record<string, string>>;
  /** The variables of an environment. @throws Error where the access file does not have what is asked of it */
  values(access: Access, model: ServiceModel, isOperator: boolean): Readonly<Record<string, string>>;
}

/** The reference pages. */
export interface ReferencePart {
  /** What `authentication.html` shows: how a call is made, and by whom. */
  firstCall(context: PageContext): Pick<Page, "template" | "view">;
  /** Programs that make one call: of a method, or of the one that needs least of a new caller. */
  programs(model: ServiceModel, method?: MethodModel): readonly Snippet[];
  /** Programs that receive events and verify them. */
  receivers(): readonly Snippet[];
  call(method: MethodModel, model: ServiceModel): CallFacts;
  /** The HTTP status of an error, and when it is another. */
  status(error: ErrorModel, model: ServiceModel): string;
  /** Errors of the protocol itself, where those of a spec are not all. */
  faults?(
    model: ServiceModel,
  ): readonly { readonly code: string; readonly message: string; readonly when: string }[];
  /** The message that brings an event, as far as all messages are alike. */
  notification(event: EventModel, payload: unknown, model: ServiceModel): unknown;
  /** The page that calls the interface from a browser. */
  readonly tried: {
    /** The module of `web/try` that does. */
    readonly calls: string;
    /** The interface for this module, to be written as JSON; its OpenRPC document if absent. */
    described?(model: ServiceModel): object;
  };
}

/** How a method is called. */
export interface CallFacts {
  /** What a call does whose effect is `create`, and what its repetition does. */
  readonly creates: string;
  /** Members of the view of `templates/reference/pages/operation.html.hbs`. */
  readonly view: object;
}

/** What the service is written against: `errors.ts`, `methods.ts`, `handlers.ts`. */
export interface ServerPart {
  errors(model: ServiceModel): ServedErrors;
  methods(model: ServiceModel, layout: EmitLayout, modules?: ValidatorModules): readonly FileDraft[];
  readonly handlers: HandlersPart;
}

/** The errors that handlers may throw. */
export interface ServedErrors {
  /** In the order of `errors.ts`. */
  readonly list: readonly ServedError[];
  /** The type of what is sent for each, in the contract. */
  readonly descriptor: string;
  /** Whether their data have types of their own. */
  readonly hasData: boolean;
}

export interface ServedError {
  readonly name: string;
  readonly message: string;
  readonly isEveryMethod: boolean;
  /** What is sent for it: members of its descriptor. */
  readonly members: readonly (Printable | undefined)[];
  /** As the spec has it; absent for what the service itself answers. */
  readonly declared?: ErrorModel;
}

/** Which module has a validator; none of results: they are not checked. */
export interface ValidatorModules {
  payload(validator: string): string;
  result?(validator: string): string;
}

/** The parts of `handlers.ts` that differ. */
export interface HandlersPart {
  /** Whether handlers serve earlier revisions too. */
  readonly servesRevisions: boolean;
  /** Declarations before those of methods, with the names that they declare. */
  before(source: HandlersSource): {
    readonly declares: readonly string[];
    readonly body: readonly Printable[];
  };
  /** The type of a method's handler. */
  handler(method: MethodModel, source: HandlersSource): Printable;
}

export interface HandlersSource {
  readonly model: ServiceModel;
  readonly names: InterfaceNames;
  readonly layout: EmitLayout;
}
