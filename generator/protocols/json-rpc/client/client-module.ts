import type { JsonRpcWireModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { braces, bracketed, type Printable } from "../../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, propertyName, stringLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { listMemberType, listMemberValue } from "../../../targets/client/lists-module.ts";
import { methodComment, methodMap } from "../../../targets/client/operations.ts";
import type { StandardNames } from "./names.ts";

interface Context {
  readonly model: ServiceModel;
  readonly names: StandardNames;
  readonly folder: string;
  from(file: string): string;
}

/** `client.ts`: all methods behind one object, over HTTP. */
export function clientModule(model: ServiceModel, names: StandardNames, folder: string): string {
  const context = { model, names, folder, from: (file: string) => `${folder}/${file}.ts` };
  return printModule({
    path: context.from("client"),
    preamble: preamble(model),
    declares: [
      names.client,
      names.create,
      names.methods,
      names.notifiable,
      names.options,
      "members",
      "operations",
      "schemeName",
    ],
    body: [
      methodMap(model, names.methods, folder),
      notifiableMap(context),
      optionsType(context),
      clientType(context),
      factory(context),
      membersFunction(context),
    ],
  });
}

/** `websocket.ts`: the same over a WebSocket, with what the service tells by itself. */
export function socketModule(model: ServiceModel, names: StandardNames, folder: string): string {
  const context = { model, names, folder, from: (file: string) => `${folder}/${file}.ts` };
  return printModule({
    path: context.from("websocket"),
    preamble: preamble(model),
    declares: [names.socket, names.createSocket, names.notifications, names.socketOptions],
    body: [notificationMap(context), socketTypes(context), socketFactory(context)],
  });
}

function notifiableMap({ model, names, from }: Context): Printable {
  const members = model.methods.filter(isNotifiable).map((method) => {
    const { payload } = interfaceNames(model).of(method);
    return ["readonly ", propertyName(method.name), ": ", importedType(payload, from("types")), ";"];
  });
  const doc = "What may be sent as a notification.";
  return [docComment({ doc }), `export interface ${names.notifiable} `, braces(members)];
}

function optionsType({ names, from }: Context): Printable {
  const base = importedType("ClientOptions", from("connection"));
  const auth = importedType(names.auth, from("schemes"));
  return [
    docComment({ doc: "The service's address, the caller's credentials, limits, hooks." }),
    `export interface ${names.options}<Auth extends `,
    auth,
    " = ",
    auth,
    "> extends ",
    base,
    " { readonly auth?: Auth; }",
  ];
}

/** The parameter of types that depend on the credentials: names of schemes. */
function given({ names, from }: Context, name = "Given"): Printable {
  const all: Printable = ["keyof ", importedType(names.auth, from("schemes"))];
  return [`<${name} extends string = `, all, ">"];
}

function clientType(context: Context): Printable {
  const { model, names, from } = context;
  const members = model.methods.filter(isAnswered).map((method) => {
    const own = interfaceNames(model).of(method);
    const types = [importedType(own.payload, from("types")), importedType(own.result, from("types"))];
    const bound: Printable = [
      importedType("BoundOperation", from("standard-client")),
      bracketed("<", ">", types),
    ];
    return [
      methodComment(method),
      "readonly ",
      propertyName(names.member(method)),
      ": ",
      allowed(method, bound, context),
      ";",
    ];
  });
  const lists = names.lists.map((list) => [
    `readonly ${list.name}: `,
    allowed(list.method, listMemberType(list, context.folder), context),
    ";",
  ]);
  const base = [
    importedType("StandardClient", from("standard-client")),
    `<${names.methods}, ${names.notifiable}>`,
  ];
  const isSecured = model.methods.some((method) => isAnswered(method) && method.security.length > 0);
  const doc = `${model.title}, for one caller. \`Given\`: the schemes for which it has credentials.`;
  return [
    docComment({ ...model, doc }),
    `export interface ${names.client}`,
    given(context, isSecured ? "Given" : "_Given"),
    " extends ",
    ...base,
    " ",
    braces([...members, ...lists]),
  ];
}

function allowed(method: MethodModel, member_: Printable, { from }: Context): Printable {
  if (method.security.length === 0) return member_;
  const alternatives = method.security.map(
    (alternative) => `[${alternative.map(({ scheme }) => stringLiteral(scheme)).join(", ")}]`,
  );
  const types: readonly Printable[] = ["Given", `[${alternatives.join(", ")}]`, member_];
  return [importedType("Allowed", from("authorizer")), bracketed("<", ">", types)];
}

function factory(context: Context): Printable {
  const { model, names, from } = context;
  const auth = importedType(names.auth, from("schemes"));
  const doc = `Makes a client of ${model.title}. Sends nothing yet. Throws a \`TypeError\` for options that cannot work.`;
  const connect = [
    importedValue("connect", from("connection")),
    "(options, ",
    importedValue("schemes", from("schemes")),
    ")",
  ];
  return [
    docComment({ doc }),
    [
      [`export function ${names.create}<const Auth extends `, auth, " = {}>"],
      `(options: ${names.options}<Auth>): ${names.client}<keyof Auth & string>;`,
      "\n",
    ],
    [`export function ${names.create}(options: ${names.options}): ${names.client}<string> `],
    braces([["return members(", ...connect, ");"]]),
  ];
}

function membersFunction({ model, names, folder, from }: Context): Printable {
  const client = importedValue("standardClient", from("standard-client"));
  const value = (method: MethodModel) =>
    importedValue(method.names.value, from("operations"), `${method.names.value}_`);
  const members = model.methods
    .filter(isAnswered)
    .map((method) => member(names.member(method), ["bound(", value(method), ")"]));
  const lists = names.lists.map((list) => member(list.name, listMemberValue(list, "connection", folder)));
  const operations = arrayLiteral(model.methods.map(value));
  const types = `<${names.methods}, ${names.notifiable}>`;
  return [
    docComment({ doc: "A client's members, over any connection." }),
    [
      "export function members(connection: ",
      importedType("Connection", from("connection")),
      `): ${names.client}<string> `,
    ],
    braces(
      members.length === 0
        ? [["return ", client, types, "(connection, operations);"]]
        : [
            ["const bound = ", importedValue("binder", from("bound")), "(connection);"],
            [
              "return { ...",
              client,
              types,
              "(connection, operations), ",
              "...",
              objectLiteral([...members, ...lists]),
              " };",
            ],
          ],
    ),
    "\n\n",
    docComment({ doc: "Every method." }),
    "export const operations: readonly { readonly method: ",
    importedType("Method", from("method")),
    " }[] = /* @__PURE__ */ (() => ",
    operations,
    ")();",
  ];
}

function notificationMap({ model, names, from }: Context): Printable {
  const members = model.events.map((event) => [
    docComment(event),
    "readonly ",
    propertyName(event.name),
    ": ",
    importedType(interfaceNames(model).ofEvent(event), from("types")),
    ";",
  ]);
  const doc = "What the service tells by itself, by its name on the wire.";
  return [docComment({ doc }), `export interface ${names.notifications} `, braces(members)];
}

function socketTypes(context: Context): Printable {
  const { model, names, from } = context;
  const auth = importedType(names.auth, from("schemes"));
  const options = importedType("SocketOptions", from("socket"));
  const client = importedType(names.client, from("client"));
  const on = [
    docComment({
      doc: "Calls a function with each notification of this name, from now on and over connections to come. Gives a function that ends it.",
    }),
    `on<Name extends keyof ${names.notifications}>(name: Name, listener: (payload: ${names.notifications}[Name]) => void): () => void;`,
  ];
  const close = [
    docComment({ doc: "Ends the connection for good, and every call that waits." }),
    "close(): void;",
  ];
  return [
    docComment({ doc: "The service's address, the caller's credentials, limits, hooks." }),
    [`export interface ${names.socketOptions}<Auth extends `, auth, " = ", auth, "> extends ", options],
    " { readonly auth?: Auth; }",
    "\n\n",
    docComment({ doc: `${model.title} over a WebSocket, for one caller.` }),
    [`export interface ${names.socket}`, given(context), " extends ", client, "<Given> "],
    braces([on, close]),
  ];
}

function socketFactory(context: Context): Printable {
  const { model, names, from } = context;
  const auth = importedType(names.auth, from("schemes"));
  const doc = `Makes a client of ${model.title} over a WebSocket, opened by the first call or listener, and again when it is lost. Throws a \`TypeError\` for options that cannot work.`;
  const value = (name: string, file: string) => importedValue(name, from(file));
  return [
    docComment({ doc }),
    [`export function ${names.createSocket}<const Auth extends `, auth, " = {}>"],
    [`(options: ${names.socketOptions}<Auth>): ${names.socket}<keyof Auth & string>;`, "\n"],
    [`export function ${names.createSocket}(options: ${names.socketOptions}): ${names.socket}<string> `],
    braces([
      [
        "const { connection, on, close } = ",
        value("connectSocket", "socket"),
        "(options, ",
        value("schemes", "schemes"),
        ", ",
        value("operations", "client"),
        ");",
      ],
      ["return { ...", value("members", "client"), "(connection), on, close };"],
    ]),
  ];
}

function isAnswered({ transport }: MethodModel): boolean {
  return transport.notify !== "only";
}

function isNotifiable({ transport }: MethodModel): boolean {
  return transport.notify !== "never";
}

export function hasSockets({ transports }: JsonRpcWireModel): boolean {
  return transports.includes("websocket");
}
