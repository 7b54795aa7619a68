import type { Diagnostic } from "../../language/diagnostics/index.ts";
import type { MethodModel, PagingModel, ServiceModel } from "../../model/service-model.ts";
import { camelCase, pascalCase } from "../../model/names.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";
import { clashes, type CodeName } from "../name-clashes.ts";

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
