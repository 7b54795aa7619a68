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

/** The names in the client. Derived from the names in the spec alone. */
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
const ownMembers = ["call", "raw", "connection", ...objectMembers];

export function clientNames(model: ServiceModel): ClientNames {
  const { type } = interfaceNames(model);
  const types = new Set(declaredTypes(model));
  const client = `${type}Client`;
  const error = `${type}Error`;
  const taken = new Set(ownMembers);
  const methods = claim(`${type}Methods`, types);
  const event = claim(`${type}Event`, types);
  const alone = model.methods
    .filter((method) => method.service === undefined)
    .map((method) => ({ name: claim(method.names.value, taken), method }));
  const groups = groupsOf(model, taken, types);
  const values = new Set(model.methods.map((method) => method.names.value));
  const lists = listsOf(model, { members: taken, types, values });
  const classes = new Map(model.errors.map(({ code, names }) => [code, claim(`${names.type}Error`, types)]));
  return {
    client,
    error,
    methods,
    event,
    fake: claim(`Fake${type}`, types),
    groups,
    alone,
    lists,
    errorClass: ({ code }) => classes.get(code) ?? error,
  };
}

/** Types that `types.ts` declares, and the classes of failures that are the same for every interface. */
function declaredTypes(model: ServiceModel): readonly string[] {
  const names = interfaceNames(model);
  return [
    ...model.types.map((type) => type.names.type),
    ...model.methods.flatMap((method) => {
      const { payload, result, form } = names.of(method);
      const forms = method.payload.kind === "forms" ? method.payload.forms : [];
      return [payload, result, ...forms.map((one) => form(one))];
    }),
    `${names.type}Client`,
    `${names.type}Error`,
    "CallError",
    "NetworkError",
    "TimeoutError",
    "UnreadableResponseError",
  ];
}

/** Services in the model's order. `AccountService` is `account`, unless another service is so too. */
function groupsOf(model: ServiceModel, taken: Set<string>, types: Set<string>): readonly Group[] {
  const services = model.services.map((service) => ({
    service,
    methods: model.methods.filter((method) => method.service === service.name),
    short: camelCase(service.name.replace(/(?<=.)_?service$/i, "")),
  }));
  return services
    .filter(({ methods }) => methods.length > 0)
    .map(({ service, methods, short }) => {
      const isOwn = services.filter((other) => other.short === short).length === 1;
      const name = claim(isOwn ? short : service.names.value, taken);
      const type = claim(`${pascalCase(name)}Methods`, types);
      return { name, type, service, members: membersOf(methods, short) };
    });
}

/** `GetAccount` of the group `account` is `get`, unless another of its operations is so too. */
function membersOf(methods: readonly MethodModel[], group: string): readonly GroupMember[] {
  const short = methods.map((method) => ({ method, name: withoutNoun(method.operation, group) }));
  const taken = new Set(ownMembers);
  return short.map(({ method, name }) => {
    const isOwn = short.filter((other) => other.name === name).length === 1 && !taken.has(name);
    return { method, name: claim(isOwn ? name : camelCase(method.operation), taken) };
  });
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

/** Names that are taken: members of the client, its types, its functions. */
interface Taken {
  readonly members: Set<string>;
  readonly types: Set<string>;
  readonly values: Set<string>;
}

/** `ListAccounts`, whose items are `accounts`, is read by `accounts.all`. */
export function listsOf(model: ServiceModel, { members, types, values }: Taken): readonly PagedList[] {
  const paged = model.methods.flatMap((method) =>
    method.paging === undefined ? [] : [{ method, paging: method.paging }],
  );
  return paged.map(({ method, paging }) => {
    const isOwn = paged.filter((other) => other.paging.items === paging.items).length === 1;
    const name = claim(isOwn ? camelCase(paging.items) : method.names.value, members);
    const type = pascalCase(name);
    return {
      name,
      value: claim(`all${type}`, values),
      filter: claim(`All${type}Filter`, types),
      item: claim(`All${type}Item`, types),
      method,
      paging,
    };
  });
}
