import type { ClientMembers } from "../../protocol.ts";
import { wireOf } from "../wire.ts";
import type { Diagnostic } from "../../../language/diagnostics/index.ts";
import { objectMembers, pascalCase } from "../../../model/names.ts";
import type {
  ErrorModel,
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
} from "../../../model/service-model.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import type { CodeName } from "../../../targets/name-clashes.ts";
import { clientClashes, free, listsOf, type PagedList } from "../../../targets/client/names.ts";

/** The names in the client of a standard interface. */
export interface StandardNames {
  /** `TasksClient`, made by `createTasksClient`. */
  readonly client: string;
  readonly create: string;
  /** `TasksSocket`, made by `createTasksSocket`. */
  readonly socket: string;
  readonly createSocket: string;
  readonly options: string;
  readonly socketOptions: string;
  readonly auth: string;
  readonly methods: string;
  readonly notifiable: string;
  readonly notifications: string;
  readonly fake: string;
  readonly errors: readonly NamedError[];
  /** Lists that are read item by item: `client.tasks.all`. */
  readonly lists: readonly PagedList[];
  /** The client's member for a method: `list`. */
  member(method: MethodModel): string;
}

/** An error of the spec, or one of the standard, and its class. */
export interface NamedError {
  readonly className: string;
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly doc: string;
  /** As the spec has it; absent for one of the standard. */
  readonly error?: ErrorModel;
  /** Whether other names have the same code. */
  readonly isShared: boolean;
}

/** Members of every client, and what must not be one. */
const ownMembers: ReadonlySet<string> = new Set([
  "batch",
  "call",
  "close",
  "connection",
  "notify",
  "on",
  "raw",
  ...objectMembers,
]);

/** Names that the fixed modules export. */
const ownTypes = ["CallError", "NetworkError", "ServiceError", "TimeoutError", "UnreadableResponseError"];

export function standardNames(model: ServiceModel, wire: JsonRpcWireModel): StandardNames {
  const { type } = interfaceNames(model);
  return {
    client: `${type}Client`,
    create: `create${type}Client`,
    socket: `${type}Socket`,
    createSocket: `create${type}Socket`,
    options: `${type}Options`,
    socketOptions: `${type}SocketOptions`,
    auth: `${type}Auth`,
    methods: `${type}Methods`,
    notifiable: `${type}Notifiable`,
    notifications: `${type}Notifications`,
    fake: `Fake${type}`,
    errors: namedErrors(model, wire),
    lists: listsOf(model, ownMembers),
    member: ({ names }) => free(names.value, ownMembers),
  };
}

/** `client.add` for each method, `client.tasks.all` for each list. */
export function clientMembers(model: ServiceModel): ClientMembers {
  const { lists, member } = standardNames(model, wireOf(model));
  return { lists, methods: model.methods.map((method) => ({ method, member: member(method) })) };
}

/** The names that two items of the interface would share in the client. */
export function standardClashes(model: ServiceModel, wire: JsonRpcWireModel): readonly Diagnostic[] {
  const names = standardNames(model, wire);
  const { ofErrorData, type } = interfaceNames(model);
  const own: CodeName["of"] = { name: type, span: model.span, isWhole: true };
  const { client, socket, options, socketOptions, auth, methods, notifiable, notifications, fake } = names;
  return clientClashes(model, {
    wholeTypes: [client, socket, options, socketOptions, auth, methods, notifiable, notifications, fake],
    wholeValues: [names.create, names.createSocket],
    types: [
      ...model.errors.flatMap((error) =>
        error.data === undefined
          ? []
          : [{ name: ofErrorData(error), of: { name: error.code, span: error.span } }],
      ),
      ...names.errors.map(({ className, name, error }) => ({
        name: className,
        of: error === undefined ? own : { name, span: error.span },
      })),
    ],
    members: model.methods.map((method) => ({ name: names.member(method), of: method })),
    lists: names.lists,
  });
}

function namedErrors(model: ServiceModel, wire: JsonRpcWireModel): readonly NamedError[] {
  const own = model.errors.map((error) => ({
    className: free(withEnding(error.names.type), ownTypes),
    name: error.code,
    code: error.rpcCode,
    message: error.message,
    doc: [`\`${error.code}\`: ${error.doc}`, error.action].filter((text) => text !== "").join(" "),
    error,
  }));
  const known = new Set(own.map(({ name }) => name));
  const standard = Object.entries(wire.faults)
    .filter(([, { name }]) => !known.has(name))
    .map(([fault, { name, code, message }]) => ({
      className: withEnding(pascalCase(fault)),
      name,
      code,
      message,
      doc: `\`${name}\`: ${message}.`,
    }));
  const all = [...own, ...standard];
  return all.map((error) => ({
    ...error,
    isShared: all.filter(({ code }) => code === error.code).length > 1,
  }));
}

/** `GONE` is `GoneError`, `PARSE_ERROR` is `ParseError`. */
function withEnding(name: string): string {
  return /.Error$/.test(name) ? name : `${name}Error`;
}
