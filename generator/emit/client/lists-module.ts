import type { MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { bracketed, hardline, indent, lines, separated, type Printable } from "../../print/layout.ts";
import { member, objectLiteral, propertyOf, stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ClientNames, PagedList } from "./names.ts";
import { resolved } from "./resolve-shape.ts";

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
  const asked =
    sizeMax === undefined ? "filter.pageSize" : `Math.min(filter.pageSize ?? ${sizeMax}, ${sizeMax})`;
  const isSized = paging.size !== undefined && sizeMax !== undefined;
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
    "async (page) => {",
    indent([
      hardline,
      ["const result = await ", call, ";"],
      hardline,
      ["return ", propertyOf("result", paging.items), ";"],
    ]),
    hardline,
    "}",
  ];
  const everyItem = importedValue("everyItem", `${folder}/paging.ts`);
  const statements: Printable[] = [
    ...(paging.size === undefined
      ? []
      : [`const { pageSize: _, ...rest } = filter;`, `const size = ${asked};`]),
    [
      "return ",
      everyItem,
      `(${firstPage(method, paging.page, model)}, ${isSized ? "size" : "1"}, `,
      read,
      ");",
    ],
  ];
  const comment = docComment({
    doc: `Reads all pages of \`${method.name}\`, item by item.`,
    section: method.section,
  });
  const result = `AsyncGenerator<${item}, void, undefined>`;
  return [
    comment,
    [`export function ${value}`, parameters, `: ${result} `],
    ["{", indent([hardline, lines(statements)]), hardline, "}"],
  ];
}

/** The least number that the page's field takes. */
function firstPage(method: MethodModel, page: string, model: ServiceModel): number {
  const { payload } = method;
  const shape: Shape | undefined =
    payload.kind === "single" ? payload.shape.fields.find(({ name }) => name === page)?.shape : undefined;
  const found = shape === undefined ? undefined : resolved(shape, model);
  return found?.kind === "integer" ? (found.minimum ?? 1) : 1;
}
