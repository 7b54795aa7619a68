import { pascalCase } from "../../../model/case-conversion.ts";
import { objectMembers } from "../../../model/reserved-names.ts";
import type {
  ErrorModel,
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
} from "../../../model/service-model.ts";
import { claim, interfaceNames } from "../../../print/interface-names.ts";
import { listsOf, type PagedList } from "../names.ts";

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
const ownMembers = ["batch", "call", "close", "connection", "notify", "on", "raw", ...objectMembers];

/** Names that the fixed modules export. */
const ownTypes = ["CallError", "NetworkError", "ServiceError", "TimeoutError", "UnreadableResponseError"];

export function standardNames(model: ServiceModel, wire: JsonRpcWireModel): StandardNames {
  const { type, of, ofErrorData } = interfaceNames(model);
  const types = new Set([
    ...ownTypes,
    ...model.types.map((one) => one.names.type),
    ...model.methods.flatMap((method) => [of(method).payload, of(method).result]),
    ...model.errors.flatMap((error) => (error.data === undefined ? [] : [ofErrorData(error)])),
  ]);
  const values = new Set(model.methods.map((method) => method.names.value));
  const taken = new Set(ownMembers);
  const members = new Map(model.methods.map((method) => [method.name, claim(method.names.value, taken)]));
  const own = {
    client: claim(`${type}Client`, types),
    create: claim(`create${type}Client`, values),
    socket: claim(`${type}Socket`, types),
    createSocket: claim(`create${type}Socket`, values),
    options: claim(`${type}Options`, types),
    socketOptions: claim(`${type}SocketOptions`, types),
    auth: claim(`${type}Auth`, types),
    methods: claim(`${type}Methods`, types),
    notifiable: claim(`${type}Notifiable`, types),
    notifications: claim(`${type}Notifications`, types),
    fake: claim(`Fake${type}`, types),
    errors: namedErrors(model, wire, types),
  };
  const lists = listsOf(model, { members: taken, types, values });
  return { ...own, lists, member: ({ name }) => members.get(name) ?? name };
}

function namedErrors(model: ServiceModel, wire: JsonRpcWireModel, types: Set<string>): readonly NamedError[] {
  const own = model.errors.map((error) => ({
    className: claim(withEnding(error.names.type), types),
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
      className: claim(withEnding(pascalCase(fault)), types),
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
