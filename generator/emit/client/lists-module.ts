import { resultObject, resolve } from "../../model/index.ts";
import type { MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { bracketed, hardline, indent, layOut, lines, separated, type Printable } from "../../print/layout.ts";
import { member, objectLiteral, propertyOf, stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ClientNames, PagedList } from "./names.ts";

/** `lists.ts`: a function for each list that comes in pages, which reads all of it. */
export function listsModule(model: ServiceModel, names: ClientNames, folder: string): string {
  return printModule({
    path: `${folder}/lists.ts`,
    preamble: preamble(model),
    declares: names.lists.flatMap(({ value, filter, item }) => [value, filter, item]),
    body: names.lists.flatMap((list) => [
      filterType(list, model, folder),
      itemType(list, model, folder),
      listFunction(list, model, folder),
    ]),
  });
}

/** Whether a list can be read without saying what narrows it. */
export function isFilterOptional({ method, paging }: PagedList): boolean {
  const { payload } = method;
  if (payload.kind !== "single") return false;
  const own = [paging.page, paging.size];
  return payload.shape.fields.every(
    ({ name, presence }) => own.includes(name) || presence.kind !== "required",
  );
}

function filterType({ filter, method, paging }: PagedList, model: ServiceModel, folder: string): Printable {
  const payload = importedType(interfaceNames(model).of(method).payload, `${folder}/types.ts`);
  const own = [paging.page, ...(paging.size === undefined ? [] : [paging.size])].map(stringLiteral);
  const most = paging.sizeMax === undefined ? "" : `, at most ${paging.sizeMax}; so many if absent`;
  const size = [
    docComment({ doc: `How many items are read at a time${most}.` }),
    "readonly pageSize?: number;",
  ];
  const rest = ["Omit<", payload, ", ", separated(" | ", own), ">"];
  return [
    docComment({ doc: `What narrows the list that \`${method.name}\` gives.` }),
    `export type ${filter} = `,
    rest,
    paging.size === undefined ? ";" : [" & {", indent([hardline, size]), hardline, "};"],
  ];
}

function itemType({ item, method, paging }: PagedList, model: ServiceModel, folder: string): Printable {
  const result = importedType(interfaceNames(model).of(method).result, `${folder}/types.ts`);
  return [
    docComment({ doc: `One of the \`${paging.items}\` that \`${method.name}\` gives.` }),
    `export type ${item} = `,
    [result, "[", stringLiteral(paging.items), "][number];"],
  ];
}

function listFunction(list: PagedList, model: ServiceModel, folder: string): Printable {
  const { value, filter, item, method, paging } = list;
  const parameters = bracketed("(", ")", [
    ["connection: ", importedType("Connection", `${folder}/connection.ts`)],
    [`filter: ${filter}`, isFilterOptional(list) ? " = {}" : ""],
    ["options?: ", importedType("CallOptions", `${folder}/connection.ts`)],
  ]);
  const { sizeMax } = paging;
  const key = sizeMax === undefined || paging.size === undefined ? undefined : keyField(list, model);
  const payload = objectLiteral([
    paging.size === undefined ? "...filter" : "...rest",
    member(paging.page, "page"),
    paging.size === undefined ? undefined : member(paging.size, "size"),
  ]);
  const call = [
    importedValue(method.names.value, `${folder}/operations.ts`),
    "(connection, ",
    payload,
    ", options)",
  ];
  const read = [
    key === undefined ? "async (page) => {" : "async (page, size) => {",
    indent([
      hardline,
      ["const result = await ", call, ";"],
      hardline,
      ["return ", propertyOf("result", paging.items), ";"],
    ]),
    hardline,
    "}",
  ];
  const first = firstPage(method, paging.page, model);
  const wanted =
    sizeMax === undefined ? "filter.pageSize" : `Math.min(filter.pageSize ?? ${sizeMax}, ${sizeMax})`;
  const isSized = paging.size !== undefined && sizeMax !== undefined;
  const walk =
    key === undefined
      ? [importedValue("everyPage", `${folder}/paging.ts`), `(${first}, ${isSized ? "size" : "1"}, `]
      : [
          importedValue("everyItem", `${folder}/paging.ts`),
          `(${first}, ${wanted}, ${sizeMax}, (item) => ${layOut(propertyOf("item?", key)).replace("?[", "?.[")}, `,
        ];
  const statements: Printable[] = [
    ...(paging.size === undefined ? [] : [`const { pageSize: _, ...rest } = filter;`]),
    ...(paging.size === undefined || key !== undefined ? [] : [`const size = ${wanted};`]),
    ["return ", walk, read, ");"],
  ];
  const comment = docComment({
    doc: `Reads all pages of \`${method.name}\`, item by item.${key === undefined ? " Items that move while it is read may be skipped or come twice." : ""}`,
    section: method.section,
  });
  const result = `AsyncGenerator<${item}, void, undefined>`;
  return [
    comment,
    [`export function ${value}`, parameters, `: ${result} `],
    ["{", indent([hardline, lines(statements)]), hardline, "}"],
  ];
}

/** The field that tells an item from others, where the interface says which. */
function keyField({ method, paging }: PagedList, model: ServiceModel): string | undefined {
  const list = resultObject(method).fields.find(({ name }) => name === paging.items);
  const items = list && resolve(model, list.shape);
  const item = items?.kind === "array" ? resolve(model, items.items) : undefined;
  const fields = item?.kind === "object" ? item.fields : [];
  return fields.find(({ identifies, presence }) => identifies !== undefined && presence.kind === "required")
    ?.name;
}

/** The least number that the page's field takes. */
function firstPage(method: MethodModel, page: string, model: ServiceModel): number {
  const { payload } = method;
  const shape: Shape | undefined =
    payload.kind === "single" ? payload.shape.fields.find(({ name }) => name === page)?.shape : undefined;
  const found = shape === undefined ? undefined : resolve(model, shape);
  return found?.kind === "integer" ? (found.minimum ?? 1) : 1;
}
