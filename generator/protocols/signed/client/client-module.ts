import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { braces, bracketed, deeper, lines, paragraphs, type Printable } from "../../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, propertyName } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { listMemberType, listMemberValue } from "../../../targets/client/lists-module.ts";
import { methodComment, methodMap } from "../../../targets/client/operations.ts";
import { startExample } from "./readme.ts";
import type { ClientNames, GroupMember } from "./names.ts";

/** `client.ts`: all methods behind one object, grouped by service as the interface groups them. */
export function clientModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const from = (file: string) => `${folder}/${file}.ts`;
  const context = { model, names, folder, from };
  return printModule({
    path: from("client"),
    preamble: preamble(model),
    declares: [names.client, names.methods, ...names.groups.map(({ type }) => type), "connection", "options"],
    body: [
      methodMap(model, names.methods, folder),
      ...names.groups.map(({ type, service, members }) => [
        docComment(service),
        `export interface ${type} `,
        braces(members.map((one) => signature(one, context))),
      ]),
      clientClass(context),
    ],
  });
}

interface Context {
  readonly model: ServiceModel;
  readonly names: ClientNames;
  readonly folder: string;
  from(file: string): string;
}

function signature({ name, method }: GroupMember, { model, from }: Context): Printable {
  const own = interfaceNames(model).of(method);
  const parameters = bracketed("(", ")", [
    ["payload: ", importedType(own.payload, from("types"))],
    ["options?: ", importedType("CallOptions", from("connection"))],
  ]);
  const result = importedType(own.result, from("types"));
  // Unquoted, `new` would declare what a constructor takes.
  const member = name === "new" ? '"new"' : propertyName(name);
  return [methodComment(method), member, parameters, ": Promise<", result, ">;"];
}

function clientClass(context: Context): Printable {
  const { model, names, from } = context;
  const remarks = {
    ...model,
    doc: `${model.title}, for one caller: every call is signed, sent and answered.`,
    usage: startExample(model, names),
  };
  const fields = [
    ...names.groups.map(({ name, type, service }) => [
      docComment(service),
      `declare readonly ${name}: ${type};`,
    ]),
    ...names.lists.map((list) => [
      `declare readonly ${list.name}: `,
      listMemberType(list, context.folder),
      ";",
    ]),
    ...names.alone.map((one) => aloneField(one, context)),
  ];
  const connection = [
    docComment({ doc: "What the functions of single methods take in place of a client." }),
    "declare readonly connection: ",
    importedType("Connection", from("connection")),
    ";",
  ];
  const body = [lines([...fields, connection]), constructorOf(context), ...callMembers(context)];
  return [docComment(remarks), `export class ${names.client} `, ["{\n", deeper(paragraphs(body)), "\n}"]];
}

function aloneField({ name, method }: GroupMember, { model, from }: Context): Printable {
  const own = interfaceNames(model).of(method);
  const types = [importedType(own.payload, from("types")), importedType(own.result, from("types"))];
  const type = [importedType("BoundOperation", from("operation")), bracketed("<", ">", types)];
  return [methodComment(method), `declare readonly ${name}: `, type, ";"];
}

function constructorOf(context: Context): Printable {
  const { names, from } = context;
  const connect = importedValue("connect", from("connection"));
  const watch = importedValue("hooks", from("hooks"), "watched");
  const statements: Printable[] = [
    ["const { hooks } = options;"],
    [
      "this.connection = ",
      connect,
      "({ ...",
      importedValue("guarded", from("guard")),
      "(options), ...(hooks && { watch: ",
      watch,
      "(hooks) }) });",
    ],
    ...(names.groups.length + names.alone.length === 0
      ? []
      : [["const bound = ", importedValue("binder", from("bound")), "(this.connection);"]]),
    ...names.groups.map(({ name, members }) => {
      const literal = objectLiteral(
        members.map((one) => member(one.name, boundOperation(one.method, context))),
        { broken: true },
      );
      return [`this.${name} = `, literal, ";"];
    }),
    ...names.lists.map((list) => [
      `this.${list.name} = `,
      listMemberValue(list, "this.connection", context.folder),
      ";",
    ]),
    ...names.alone.map((one) => [`this.${one.name} = `, boundOperation(one.method, context), ";"]),
  ];
  const comment = docComment({
    doc: "Sends nothing yet. Throws a `TypeError` for options that cannot work.",
  });
  const parameter = ["options: ", importedType("ClientOptions", from("guard"))];
  return [comment, "constructor(", parameter, ") ", braces(statements)];
}

function boundOperation(method: MethodModel, { from }: Context): Printable {
  return ["bound(", importedValue(method.names.value, from("operations")), ")"];
}

/** `call` and `raw`, by documented names. */
function callMembers({ model, names, from }: Context): readonly Printable[] {
  const options = importedType("CallOptions", from("connection"));
  const operations = arrayLiteral(
    model.methods.map((method) => importedValue(method.names.value, from("operations"))),
  );
  const ask = importedValue("ask", from("operation"));
  const typed = (result: Printable) => [
    `<Name extends keyof ${names.methods}>`,
    bracketed("(", ")", [
      "name: Name",
      `payload: ${names.methods}[Name]["payload"]`,
      ["options?: ", options],
    ]),
    ": Promise<",
    result,
    ">",
  ];
  const answer = importedType("Answer", from("answer"));
  const result = `${names.methods}[Name]["result"]`;
  return [
    [
      docComment({ doc: "Calls a method by its documented name." }),
      ["async call", typed(result), " "],
      braces([
        [
          "return ",
          importedValue("resultOf", from("answer")),
          "(await this.raw(name, payload, options), this.#method(name));",
        ],
      ]),
    ],
    [
      docComment({
        doc: "Calls a method by its documented name and gives the answer as it came: status, headers, envelope. Does not reject for an error that the service answers with.",
      }),
      ["async raw", typed(answer), " "],
      braces([["return ", ask, "(this.connection, this.#method(name), payload, options);"]]),
    ],
    [
      ["#method(name: string): ", importedType("Method", from("method")), " "],
      braces([["return ", importedValue("methodNamed", from("bound")), "(name, ", operations, ");"]]),
    ],
  ];
}
