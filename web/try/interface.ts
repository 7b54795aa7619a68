import type * as Client from "../../generated/ledger/client/index.ts";
import { isObject, textOf, type JsonObject } from "../shared/json.ts";
import { listOf, loadSchema, type SchemaDocument } from "../shared/schema.ts";
import { loadValidator, type Validate } from "../shared/validator.ts";

/** The parts of a generated client that this page uses: it is the same for every signed interface. */
export type ClientModule = Pick<typeof Client, "connect">;
type Operation = typeof Client.getAccount;

/** One operation as the page offers it. */
export interface TriedOperation {
  readonly name: string;
  readonly doc: string;
  /** Names in the JSON Schema: `GetAccountPayload`. */
  readonly type: string;
  /** Payloads of the spec's examples, by their names. */
  readonly examples: readonly { readonly name: string; readonly payload: JsonObject }[];
  /** The codes that it can answer with. */
  readonly codes: readonly string[];
  readonly isFlat: boolean;
  call(connection: Client.Connection, payload: object, options: Client.CallOptions): Promise<unknown>;
}

/** An interface as the server serves it to this page. */
export interface TriedInterface {
  readonly name: string;
  readonly title: string;
  readonly schema: SchemaDocument;
  readonly operations: readonly TriedOperation[];
  readonly connect: typeof Client.connect;
  validator(operation: TriedOperation, of: "payload" | "result"): Promise<Validate>;
}

/** Loads the interface that the page's address names: `/docs/try/<name>/`. */
export async function loadInterface(): Promise<TriedInterface> {
  const name = location.pathname.split("/").findLast((part) => part !== "") ?? "";
  const folder = new URL(`../../generated/${encodeURIComponent(name)}/`, import.meta.url);
  const [document, schema, client, operations]: [unknown, SchemaDocument, ClientModule, unknown] =
    await Promise.all([
      fetch(new URL("openrpc.json", folder)).then((response) => response.json()),
      loadSchema(new URL("json-schema.json", folder)),
      import(new URL("client/connection.ts", folder).href),
      import(new URL("client/operations.ts", folder).href),
    ]);
  const described = isObject(document) ? document : {};
  const info = isObject(described["info"]) ? described["info"] : {};
  const byName = new Map(callable(operations).map((operation) => [operation.method.name, operation]));
  return {
    name,
    title: textOf(info["title"]),
    schema,
    connect: client.connect,
    operations: listOf(described["methods"]).flatMap((method) => {
      const operation = isObject(method) ? byName.get(textOf(method["name"])) : undefined;
      return isObject(method) && operation !== undefined ? [triedOperation(method, operation)] : [];
    }),
    validator({ type }, of) {
      const name = `validate${type}${of === "payload" ? "Payload" : "Result"}`;
      return loadValidator(new URL(`validators/${of}s.js`, folder), name);
    },
  };
}

function isOperation(value: unknown): value is Operation {
  return typeof value === "function" && "method" in value;
}

function callable(module: unknown): readonly Operation[] {
  return typeof module === "object" && module !== null
    ? Object.values(module).filter((value) => isOperation(value))
    : [];
}

function triedOperation(method: JsonObject, operation: Operation): TriedOperation {
  const name = textOf(method["name"]);
  const parts = name.split(".");
  const isFlat = operation.method.transport.signsOnce === true;
  return {
    name,
    doc: textOf(method["description"]),
    type: parts.at(-1) ?? name,
    examples: listOf(method["examples"]).map((example) =>
      exampleOf(isObject(example) ? example : {}, isFlat),
    ),
    codes: listOf(method["errors"]).map((error) => codeOf(isObject(error) ? error : {})),
    isFlat,
    call: (connection, payload, options) =>
      Reflect.apply(operation, undefined, [connection, payload, options]),
  };
}

/** The payload of an example: of a flat body each field is a parameter. */
function exampleOf(example: JsonObject, isFlat: boolean): TriedOperation["examples"][number] {
  const params = listOf(example["params"]).filter((each) => isObject(each));
  const payload = isFlat
    ? Object.fromEntries(params.map((each) => [textOf(each["name"]), each["value"]]))
    : params.find((each) => each["name"] === "payload")?.["value"];
  return { name: textOf(example["name"]), payload: isObject(payload) ? payload : {} };
}

function codeOf(error: JsonObject): string {
  if (isObject(error["data"])) return textOf(error["data"]["code"]);
  return textOf(error["$ref"]).split("/").at(-1) ?? "";
}
