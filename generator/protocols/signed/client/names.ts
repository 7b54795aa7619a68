import type { ClientMembers } from "../../protocol.ts";
import type { Diagnostic } from "../../../language/diagnostics/index.ts";
import type { ErrorModel, MethodModel, ServiceGroup, ServiceModel } from "../../../model/service-model.ts";
import { camelCase, objectMembers, pascalCase, wordsOf } from "../../../model/names.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { clientClashes, free, listsOf, type PagedList } from "../../../targets/client/names.ts";

/** The names in the client, each made from its own item of the spec alone. */
export interface ClientNames {
  /** `LedgerClient`, `LedgerError`, `LedgerMethods`. */
  readonly client: string;
  readonly error: string;
  readonly methods: string;
  /** The union of the events: `LedgerEvent`. */
  readonly event: string;
  /** The class that plays the service in tests: `FakeLedger`. */
  readonly fake: string;
  /** Members of the client that hold methods: `account`, then those that are methods themselves. */
  readonly groups: readonly Group[];
  readonly alone: readonly GroupMember[];
  /** Lists that are read item by item. */
  readonly lists: readonly PagedList[];
  /** The class of a code: `NotFoundAccountError`. */
  errorClass(error: ErrorModel): string;
}

export interface Group {
  readonly name: string;
  /** The interface that declares its members: `AccountMethods`. */
  readonly type: string;
  readonly service: ServiceGroup;
  readonly members: readonly GroupMember[];
}

export interface GroupMember {
  readonly name: string;
  readonly method: MethodModel;
}

/** Members of every client. */
const ownMembers: ReadonlySet<string> = new Set(["call", "raw", "connection", ...objectMembers]);

/** Classes of failures that are the same for every interface. */
const ownTypes = ["CallError", "NetworkError", "TimeoutError", "UnreadableResponseError"];

export function clientNames(model: ServiceModel): ClientNames {
  const { type } = interfaceNames(model);
  const [client, error] = [`${type}Client`, `${type}Error`];
  const classes = new Map(
    model.errors.map(({ code, names }) => [code, free(`${names.type}Error`, [...ownTypes, error])]),
  );
  return {
    client,
    error,
    methods: `${type}Methods`,
    event: `${type}Event`,
    fake: `Fake${type}`,
    groups: groupsOf(model),
    alone: model.methods
      .filter((method) => method.service === undefined)
      .map((method) => ({ name: free(method.names.value, ownMembers), method })),
    lists: listsOf(model, ownMembers),
    errorClass: ({ code }) => classes.get(code) ?? error,
  };
}

/** `client.account.get` for each method, `client.accounts.all` for each list. */
export function clientMembers(model: ServiceModel): ClientMembers {
  const { lists, groups, alone } = clientNames(model);
  const grouped = groups.flatMap(({ name: group, members }) =>
    members.map(({ method, name }) => ({ method, member: `${group}.${name}` })),
  );
  return {
    lists,
    methods: [...grouped, ...alone.map(({ method, name }) => ({ method, member: name }))],
  };
}

/** The names that two items of the interface would share in the client. */
export function signedClashes(model: ServiceModel): readonly Diagnostic[] {
  const names = clientNames(model);
  const { ofEvent } = interfaceNames(model);
  return clientClashes(model, {
    wholeTypes: [names.client, names.error, names.methods, names.event, names.fake],
    types: [
      ...model.events.map((event) => ({ name: ofEvent(event), of: event })),
      ...names.groups.map((group) => ({ name: group.type, of: group.service })),
      ...model.errors.map((error) => ({ name: names.errorClass(error), of: { ...error, name: error.code } })),
    ],
    members: [
      ...names.groups.map(({ name, service }) => ({ name, of: service })),
      ...names.alone.map(({ name, method }) => ({ name, of: method })),
    ],
    groups: names.groups.map(({ members }) => members.map(({ name, method }) => ({ name, of: method }))),
    lists: names.lists,
  });
}

/** Services in the model's order that have methods. `AccountService` is `account`. */
function groupsOf(model: ServiceModel): readonly Group[] {
  return model.services.flatMap((service) => {
    const methods = model.methods.filter((method) => method.service === service.name);
    if (methods.length === 0) return [];
    const said = service.codeName ?? service.name;
    const short = camelCase(said.replace(/(?<=.)_?service$/i, ""));
    const name = free(short, ownMembers);
    const members = methods.map((method) => ({ name: memberOf(method, short), method }));
    return { name, type: `${pascalCase(name)}Methods`, service, members };
  });
}

/** `GetAccount` of the group `account` is `get`. */
function memberOf(method: MethodModel, group: string): string {
  const operation = method.codeName ?? method.operation;
  const short = withoutNoun(operation, group);
  return ownMembers.has(short) ? free(camelCase(operation), ownMembers) : short;
}

/** The operation's name without the words of its group, singular or plural; the whole name where nothing is left. */
export function withoutNoun(operation: string, group: string): string {
  const words = wordsOf(operation);
  const noun = wordsOf(group).map((word) => word.toLowerCase());
  const last = noun.at(-1) ?? "";
  const plurals = [last, `${last}s`, `${last}es`, last.replace(/y$/, "ies")];
  const isNoun = (at: number) =>
    noun.every((word, offset) => {
      const found = words[at + offset]?.toLowerCase() ?? "";
      return offset === noun.length - 1 ? plurals.includes(found) : found === word;
    });
  const at = words.findIndex((_, index) => isNoun(index));
  const rest = at === -1 ? [] : words.toSpliced(at, noun.length);
  return camelCase(rest.length === 0 ? operation : rest.join("_"));
}
