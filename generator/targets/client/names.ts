import type { Diagnostic } from "../../language/diagnostics/index.ts";
import type {
  ErrorModel,
  MethodModel,
  PagingModel,
  ServiceGroup,
  ServiceModel,
} from "../../model/service-model.ts";
import { camelCase, pascalCase, wordsOf } from "../../model/case-conversion.ts";
import { objectMembers } from "../../model/reserved-names.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";
import { clashes, onePerItem, type CodeName } from "../name-clashes.ts";

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

export interface PagedList {
  /** The client's member whose `all` reads the list: `accounts`. */
  readonly name: string;
  /** The function that reads the list: `allAccounts`. */
  readonly value: string;
  /** The type of what narrows the list: `AllAccountsFilter`. */
  readonly filter: string;
  /** The type of its items: `AllAccountsItem`. */
  readonly item: string;
  readonly method: MethodModel;
  readonly paging: PagingModel;
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

/** A name that is no fixed one. */
export function free(name: string, fixed: Iterable<string>): string {
  return claim(name, new Set(fixed));
}

/** The names that two items of the interface would share in the client, beside those in its types and functions. */
export function clientClashes(model: ServiceModel): readonly Diagnostic[] {
  const names = clientNames(model);
  const { type, ofEvent } = interfaceNames(model);
  const whole = [names.client, names.error, names.methods, names.event, names.fake];
  const own: CodeName["of"] = { name: type, span: model.span, isWhole: true };
  const types: readonly CodeName[] = [
    ...whole.map((name) => ({ name, of: own })),
    ...sharedTypes(model),
    ...model.events.map((event) => ({ name: ofEvent(event), of: event })),
    ...names.groups.map((group) => ({ name: group.type, of: group.service })),
    ...model.errors.map((error) => ({ name: names.errorClass(error), of: { ...error, name: error.code } })),
  ];
  const members: readonly CodeName[] = [
    ...names.groups.map(({ name, service }) => ({ name, of: service })),
    ...names.alone.map(({ name, method }) => ({ name, of: method })),
  ];
  const perGroup = names.groups.flatMap(({ members: own }) =>
    clashes(own.map(({ name, method }) => ({ name, of: method }))),
  );
  return onePerItem([
    ...clashes(types),
    ...clashes(members),
    ...perGroup,
    ...listClashes(model, names.lists, members, types),
  ]);
}

/** The types that clients of both protocols have: of the spec and of methods. */
export function sharedTypes(model: ServiceModel): readonly CodeName[] {
  const { of } = interfaceNames(model);
  return [
    ...model.types.map((each) => ({ name: each.names.type, of: each })),
    ...model.methods.flatMap((method) => {
      const { payload, result, form } = of(method);
      const forms = method.payload.kind === "forms" ? method.payload.forms : [];
      return [payload, result, ...forms.map((one) => form(one))].map((name) => ({ name, of: method }));
    }),
  ];
}

/** The names that a list shares with another one, with another member, with a function for a method or with a type. */
export function listClashes(
  model: ServiceModel,
  lists: readonly PagedList[],
  members: readonly CodeName[],
  types: readonly CodeName[],
): readonly Diagnostic[] {
  const ofLists = lists.flatMap((list) =>
    [list.filter, list.item].map((name) => ({ name, of: list.method })),
  );
  const values = model.methods.map((method) => ({ name: method.names.value, of: method }));
  return [
    ...clashes([...members, ...lists.map(({ name, method }) => ({ name, of: method }))], "paging.name"),
    ...clashes(
      [...values, ...lists.map(({ value, method }) => ({ name: value, of: method }))],
      "paging.name",
    ),
    ...clashes([...types, ...ofLists], "paging.name"),
  ];
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

/** `ListAccounts`, whose items are `accounts`, is read by `accounts.all`. */
export function listsOf(model: ServiceModel, fixedMembers: ReadonlySet<string>): readonly PagedList[] {
  return model.methods.flatMap((method) => {
    const { paging } = method;
    if (paging === undefined) return [];
    const name = free(paging.name ?? camelCase(paging.items), fixedMembers);
    const type = pascalCase(name);
    return { name, value: `all${type}`, filter: `All${type}Filter`, item: `All${type}Item`, method, paging };
  });
}
