import type { Diagnostic } from "../../language/diagnostics/index.ts";
import type { MethodModel, PagingModel, ServiceModel } from "../../model/service-model.ts";
import { camelCase, pascalCase } from "../../model/names.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";
import { clashes, onePerItem, type CodeName } from "../name-clashes.ts";

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

/** A name that is no fixed one. */
export function free(name: string, fixed: Iterable<string>): string {
  return claim(name, new Set(fixed));
}

/** The types that clients of all protocols have: of the spec and of methods. */
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

/** The names in a client beside those of types and methods. */
export interface ClientNamesUsed {
  /** Types and functions of the interface as a whole. */
  readonly wholeTypes: readonly string[];
  readonly wholeValues?: readonly string[];
  readonly types: readonly CodeName[];
  /** Members of the client, and of each of its groups. */
  readonly members: readonly CodeName[];
  readonly groups?: readonly (readonly CodeName[])[];
  readonly lists: readonly PagedList[];
}

/** The names that two items of the interface would share in the client, beside those in its types and functions. */
export function clientClashes(
  model: ServiceModel,
  { wholeTypes, wholeValues = [], types, members, groups = [], lists }: ClientNamesUsed,
): readonly Diagnostic[] {
  const own = { name: interfaceNames(model).type, span: model.span, isWhole: true } as const;
  const whole = (names: readonly string[]) => names.map((name) => ({ name, of: own }));
  const allTypes = [...whole(wholeTypes), ...sharedTypes(model), ...types];
  const functions = model.methods.map((method) => ({ name: method.names.value, of: method }));
  const ofLists = lists.flatMap(({ filter, item, method }) =>
    [filter, item].map((name) => ({ name, of: method })),
  );
  const named = (name: "name" | "value") => lists.map((list) => ({ name: list[name], of: list.method }));
  return onePerItem([
    ...clashes(allTypes),
    ...clashes([...whole(wholeValues), ...functions]),
    ...clashes(members),
    ...groups.flatMap((group) => clashes(group)),
    ...clashes([...members, ...named("name")], "paging.name"),
    ...clashes([...functions, ...named("value")], "paging.name"),
    ...clashes([...allTypes, ...ofLists], "paging.name"),
  ]);
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
