import { firstPageOf, isSentAsText, resolve } from "../../model/index.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import type { FieldModel } from "../../model/shape.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { braces, bracketed, layOut, separated, type Printable } from "../../print/layout.ts";
import { member, objectLiteral, propertyOf, stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { protocolOf } from "../../protocols/index.ts";
import type { PagedList } from "./names.ts";

/** `lists.ts`: a function for each list that comes in pages, which reads all of it. */
export function listsModule(model: ServiceModel, lists: readonly PagedList[], folder: string): string {
  return printModule({
    path: `${folder}/lists.ts`,
    preamble: preamble(model),
    declares: lists.flatMap(({ value, filter, item }) => [value, filter, item]),
    body: lists.flatMap((list) => [
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
  const own = [paging.page ?? paging.cursor, paging.size];
  return payload.shape.fields.every(
    ({ name, presence }) => own.includes(name) || presence.kind !== "required",
  );
}

function filterType({ filter, method, paging }: PagedList, model: ServiceModel, folder: string): Printable {
  const payload = importedType(interfaceNames(model).of(method).payload, `${folder}/types.ts`);
  const own = [paging.page ?? paging.cursor, ...(paging.size === undefined ? [] : [paging.size])].map(
    stringLiteral,
  );
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
    paging.size === undefined ? "" : [" & ", braces([size])],
    ";",
  ];
}

function itemType(list: PagedList, model: ServiceModel, folder: string): Printable {
  const { item, method, paging } = list;
  const result = importedType(interfaceNames(model).of(method).result, `${folder}/types.ts`);
  const items = [result, "[", stringLiteral(paging.items), "]"];
  return [
    docComment({ doc: `One of the \`${paging.items}\` that \`${method.name}\` gives.` }),
    `export type ${item} = `,
    mayLackItems(list, model) ? ["NonNullable<", items, ">"] : items,
    "[number];",
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
  const key = overlapKey(list, model);
  const isCursor = paging.cursor !== undefined;
  const size = sizeMax === undefined ? "pageSize" : `Math.min(pageSize ?? ${sizeMax}, ${sizeMax})`;
  const statements: Printable[] = [
    ...(paging.size === undefined ? [] : ["const { pageSize, ...rest } = filter;"]),
    ...(paging.size === undefined || key !== undefined
      ? []
      : [`const ${sizeMax !== undefined && !isCursor ? "full" : "size"} = ${size};`]),
    ["return ", walkOf(list, model, folder), pageRead(list, model, folder), ");"],
  ];
  const comment = docComment({
    doc: `Reads all pages of \`${method.name}\`, item by item.${key === undefined && !isCursor ? " Items that move while it is read may be skipped or come twice." : ""}`,
    section: method.section,
  });
  const result = `AsyncGenerator<${item}, void, undefined>`;
  return [comment, [`export function ${value}`, parameters, `: ${result} `], braces(statements)];
}

/** The beginning of the call that goes through the pages. */
function walkOf(list: PagedList, model: ServiceModel, folder: string): Printable {
  const { item, method, paging } = list;
  const key = overlapKey(list, model);
  const first = firstPageOf(method, model);
  const walk = (name: string): Printable => importedValue(name, `${folder}/paging.ts`);
  if (paging.cursor !== undefined)
    return [walk("everyCursor"), "<", item, ", ", cursorType(list, model, folder), ">("];
  if (key === undefined) return [walk("everyPage"), `(${first}, ${isSized(list) ? "full" : "1"}, `];
  const keyOf = layOut(propertyOf("item?", key)).replace("?[", "?.[");
  return [walk("everyItem"), `(${first}, pageSize, ${paging.sizeMax}, (item) => ${keyOf}, `];
}

/** Whether a page has a size also where callers say none. */
function isSized({ paging }: PagedList): boolean {
  return paging.size !== undefined && paging.sizeMax !== undefined;
}

/** The function that reads one page. */
function pageRead(list: PagedList, model: ServiceModel, folder: string): Printable {
  const { method, paging } = list;
  const isSizeGiven = isSized(list) || overlapKey(list, model) !== undefined;
  const numberOf = (name: string, field: string) =>
    isSentAsText(method, field, model) ? ["`${", name, "}`"] : name;
  const size = paging.size === undefined ? "" : numberOf("size", paging.size);
  const sized =
    paging.size === undefined || isSizeGiven
      ? member(paging.size ?? "", paging.size && size)
      : whereGiven("size", paging.size, size);
  const payload = objectLiteral([
    paging.size === undefined ? "...filter" : "...rest",
    paging.page === undefined
      ? whereGiven("cursor", paging.cursor, "cursor")
      : member(paging.page, numberOf("page", paging.page)),
    sized,
  ]);
  const operation = importedValue(method.names.value, `${folder}/operations.ts`);
  const end = emptyCode(list, model);
  const partOf = (field: string): Printable =>
    end === undefined
      ? propertyOf("result", field)
      : layOut(propertyOf("result?", field)).replace("?[", "?.[");
  const mayLack = end !== undefined || mayLackItems(list, model);
  const items = [partOf(paging.items), mayLack ? " ?? []" : ""];
  const [parameters, answer] =
    paging.page === undefined
      ? ["cursor", ["{ items: ", items, ", next: ", partOf(paging.next), " }"]]
      : [isSizeGiven ? "page, size" : "page", items];
  const call = [operation, "(connection, ", payload, ", options)"];
  const ended =
    end === undefined
      ? call
      : [call, ".catch(", importedValue("endsWith", `${folder}/paging.ts`), `(${end}))`];
  return [
    `async (${parameters}) => `,
    braces([
      ["const result = await ", ended, ";"],
      ["return ", answer, ";"],
    ]),
  ];
}

/** The literal of the code that callers get where a page has no items. */
function emptyCode({ paging }: PagedList, model: ServiceModel): string | undefined {
  const error = model.errors.find(({ code }) => code === paging.empty);
  if (error === undefined) return undefined;
  return protocolOf(model).errorCode === "number" ? String(error.rpcCode) : stringLiteral(error.code);
}

/** A member that is left out where it is undefined: the compiler may tell the two apart (`exactOptionalPropertyTypes`). */
function whereGiven(name: string, field: string, value: Printable): Printable {
  return [`...(${name} !== undefined && `, objectLiteral([member(field, value)]), ")"];
}

function cursorType({ method, paging }: PagedList, model: ServiceModel, folder: string): Printable {
  const payload = importedType(interfaceNames(model).of(method).payload, `${folder}/types.ts`);
  return ["NonNullable<", payload, "[", stringLiteral(paging.cursor ?? ""), "]>"];
}

/** The type of the member that reads the list: `{ all(filter?, options?): AsyncGenerator<…> }`. */
export function listMemberType(list: PagedList, folder: string): Printable {
  const { filter, item, method, paging } = list;
  const doc = `Reads \`${method.name}\` page by page: every one of its \`${paging.items}\`, in order.`;
  const parameters = bracketed("(", ")", [
    [isFilterOptional(list) ? "filter?: " : "filter: ", importedType(filter, `${folder}/lists.ts`)],
    ["options?: ", importedType("CallOptions", `${folder}/connection.ts`)],
  ]);
  const type = importedType(item, `${folder}/lists.ts`);
  const all = [docComment({ doc }), "all", parameters, ": AsyncGenerator<", type, ", void, undefined>;"];
  return braces([all]);
}

/** The member that reads the list, over a connection. */
export function listMemberValue({ value }: PagedList, connection: string, folder: string): Printable {
  const all = importedValue(value, `${folder}/lists.ts`);
  return ["{ all: (filter, options) => ", all, `(${connection}, filter, options) }`];
}

/**
 * The smallest `sizeMax` of lists whose pages are read so that they overlap. A page of at most `sizeMax` items that
 * starts before item n and ends behind it exists unless all sizes divide n. The first such n is 360,360 for 13, and 6
 * for 3. There the page behind it is read alone, and an item that went in that moment hides another.
 */
const overlapSizeMax = 13;

/** The field by which pages that overlap are put together; undefined where they cannot overlap. */
export function overlapKey(list: PagedList, model: ServiceModel): string | undefined {
  const { size, sizeMax = 0, cursor } = list.paging;
  return cursor !== undefined || size === undefined || sizeMax < overlapSizeMax
    ? undefined
    : keyField(list, model);
}

/** The field that tells an item from others, where the interface says which. */
function keyField(list: PagedList, model: ServiceModel): string | undefined {
  const found = itemsField(list, model);
  const items = found && resolve(model, found.shape);
  const item = items?.kind === "array" ? resolve(model, items.items) : undefined;
  const fields = item?.kind === "object" ? item.fields : [];
  return fields.find(({ identifies, presence }) => identifies !== undefined && presence.kind === "required")
    ?.name;
}

function itemsField({ method, paging }: PagedList, model: ServiceModel): FieldModel | undefined {
  const result = resolve(model, method.result);
  return result.kind === "object" ? result.fields.find(({ name }) => name === paging.items) : undefined;
}

/** Whether a page without items may leave the member out. */
function mayLackItems(list: PagedList, model: ServiceModel): boolean {
  return itemsField(list, model)?.presence.kind !== "required";
}
