import { Ajv } from "ajv";
import type {
  JsonRpcErrorDescriptor,
  JsonRpcFault,
  JsonRpcInterfaceDescriptor,
  JsonRpcMethodDescriptor,
  PayloadValidator,
} from "../../runtime/contract/index.ts";

const ajv = new Ajv({ strict: false });

/** A validator such as the generator makes one. */
export function validator(schema: object): PayloadValidator {
  const validate = ajv.compile(schema);
  const judge: PayloadValidator = (value) => {
    const fits = validate(value);
    judge.errors = validate.errors ?? null;
    return fits;
  };
  return judge;
}

function fault(name: string, code: number, message: string, httpStatus: number): JsonRpcErrorDescriptor {
  return { name, code, message, httpStatus };
}

export const faults: Readonly<Record<JsonRpcFault, JsonRpcErrorDescriptor>> = {
  parseError: fault("PARSE_ERROR", -32700, "Parse error", 400),
  invalidRequest: fault("INVALID_REQUEST", -32600, "Invalid Request", 400),
  methodNotFound: fault("METHOD_NOT_FOUND", -32601, "Method not found", 404),
  invalidParams: fault("INVALID_PARAMS", -32602, "Invalid params", 400),
  internalError: fault("INTERNAL_ERROR", -32603, "Internal error", 500),
  unauthenticated: fault("UNAUTHENTICATED", -32001, "Unauthenticated", 401),
  forbidden: fault("FORBIDDEN", -32003, "Forbidden", 403),
  rateLimited: fault("RATE_LIMITED", -32029, "Too many calls", 429),
  unavailable: fault("UNAVAILABLE", -32050, "Unavailable", 503),
  tooLarge: fault("TOO_LARGE", -32013, "Message too large", 413),
};

const gone: JsonRpcErrorDescriptor = {
  ...fault("GONE", -32010, "Gone", 410),
  validateData: validator({ type: "object", required: ["task"], properties: { task: { type: "string" } } }),
};

type MethodParts = Partial<Omit<JsonRpcMethodDescriptor, "name" | "validate">> & { readonly schema?: object };

export function method(name: string, { schema = {}, ...parts }: MethodParts = {}): JsonRpcMethodDescriptor {
  return {
    name,
    effect: "read",
    params: "either",
    notify: "allowed",
    parameters: [],
    security: [],
    errors: {},
    validate: validator({ type: "object", ...schema }),
    ...parts,
  };
}

function parameters(...names: readonly string[]): JsonRpcMethodDescriptor["parameters"] {
  return names.map((name) => ({
    name: name.replace(/[?]/, ""),
    required: !name.endsWith("?"),
    nullable: false,
  }));
}

const twoNumbers = {
  required: ["minuend", "subtrahend"],
  properties: { minuend: { type: "number" }, subtrahend: { type: "number" } },
};

/** The methods of section 7 of the specification, and some that show the rest. */
export const methods: Readonly<Record<string, JsonRpcMethodDescriptor>> = {
  subtract: method("subtract", {
    parameters: parameters("minuend", "subtrahend"),
    schema: twoNumbers,
    validateResult: validator({ type: "number" }),
  }),
  update: method("update", { parameters: parameters("a?", "b?", "c?", "d?", "e?") }),
  foobar: method("foobar"),
  sum: method("sum", {
    parameters: parameters("a", "b", "c?"),
    schema: { properties: { a: { type: "number" }, b: { type: "number" }, c: { type: "number" } } },
  }),
  notify_hello: method("notify_hello", { notify: "only", parameters: parameters("number?") }),
  get_data: method("get_data"),
  positional: method("positional", {
    params: "by-position",
    parameters: [
      { name: "first", required: true, nullable: false },
      { name: "second", required: false, nullable: true },
      { name: "third", required: false, nullable: false },
    ],
    schema: { required: ["first"], properties: { third: { type: "number" } } },
  }),
  named: method("named", { params: "by-name", parameters: parameters("first?") }),
  create: method("create", {
    effect: "create",
    notify: "never",
    parameters: parameters("title"),
    schema: { required: ["title"], properties: { title: { type: "string" } } },
    errors: { GONE: gone },
  }),
  fail: method("fail", { parameters: parameters("how?"), errors: { GONE: gone } }),
  echo: method("echo", { open: true }),
  wait: method("wait", { parameters: parameters("forever?") }),
};

/** An interface of the same methods with other rules. */
export function interfaceWith(changes: Partial<JsonRpcInterfaceDescriptor> = {}): JsonRpcInterfaceDescriptor {
  return {
    protocol: "json-rpc-2.0",
    contract: 1,
    name: "trial",
    title: "Trial",
    revision: "1.0.0",
    path: "/rpc",
    http: { status: "ok", notified: 204 },
    batch: { max: 50 },
    transports: ["http", "websocket", "stdio"],
    methods,
    faults,
    schemes: {},
    ...changes,
  };
}
