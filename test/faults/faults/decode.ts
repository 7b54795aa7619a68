import { patch, type Fault } from "../fault.ts";

const envelope = "runtime/pipeline/decode/read-envelope.ts";
const limits = "runtime/pipeline/decode/limits.ts";
const scan = "runtime/pipeline/decode/scan.ts";
const names = "runtime/pipeline/decode/names.ts";
const text = "runtime/pipeline/decode/scan-string.ts";
const decode = "runtime/pipeline/decode/decode.ts";
const pipeline = "runtime/pipeline/revision-pipeline.ts";

export const decodeFaults: readonly Fault[] = [
  {
    id: "id-not-echoed",
    layer: "decode",
    says: "The id of the request is not echoed.",
    answer: ({ json, isError }) => (isError ? json : { ...Object(json), id: "0" }),
  },
  {
    id: "id-null-in-errors",
    layer: "decode",
    says: "Errors have the id null though one was read.",
    answer: ({ json, isError }) => (isError ? { ...Object(json), id: null } : json),
  },
  {
    id: "id-as-number",
    layer: "decode",
    says: "An id of digits is echoed as a number.",
    answer: ({ json }) => {
      const { id } = Object(json);
      return typeof id === "string" && /^\d+$/.test(id) ? { ...Object(json), id: Number(id) } : json;
    },
  },
  {
    id: "id-trimmed",
    layer: "decode",
    says: "Blanks of an id are lost.",
    answer: ({ json }) => {
      const { id } = Object(json);
      return typeof id === "string" ? { ...Object(json), id: id.trim() } : json;
    },
  },
  {
    id: "id-ascii",
    layer: "decode",
    says: "Characters of an id beyond ASCII are lost.",
    answer: ({ json }) => {
      const { id } = Object(json);
      return typeof id === "string" ? { ...Object(json), id: id.replaceAll(/[^ -~]/g, "?") } : json;
    },
  },
  {
    id: "long-ids",
    layer: "decode",
    says: "Ids of more than 128 characters are taken.",
    patches: patch(limits, "idCharactersMax = 128", "idCharactersMax = 256"),
  },
  {
    id: "id-length-in-units",
    layer: "decode",
    says: "The length of an id is counted in UTF-16 units.",
    patches: patch(envelope, " || Array.from(value).length <= idCharactersMax", ""),
  },
  {
    id: "any-jsonrpc",
    layer: "decode",
    says: "Any value of jsonrpc is taken.",
    patches: patch(envelope, 'if (jsonrpc !== undefined && jsonrpc !== "2.0")', 'if (jsonrpc === "nothing")'),
  },
  {
    id: "jsonrpc-required",
    layer: "decode",
    says: "A request without jsonrpc is refused.",
    patches: patch(envelope, 'if (jsonrpc !== undefined && jsonrpc !== "2.0")', 'if (jsonrpc !== "2.0")'),
  },
  {
    id: "duplicate-keys",
    layer: "decode",
    says: "A name that an object has twice is taken.",
    patches: patch(names, "if (isTaken(names, name)) {", "if (false && isTaken(names, name)) {"),
  },
  {
    id: "prototype-keys",
    layer: "decode",
    says: "A member called constructor is taken.",
    patches: patch(names, '"__proto__", "constructor", "prototype"', '"__proto__", "prototype"'),
  },
  {
    id: "byte-order-mark",
    layer: "decode",
    says: "A byte order mark is passed over.",
    patches: patch(scan, 'return refused("byte-order-mark");', "return scanBody(body.subarray(3));"),
  },
  {
    id: "invalid-utf8",
    layer: "decode",
    says: "Bytes that are no UTF-8 are replaced rather than refused.",
    patches: patch(
      scan,
      'if (!allAscii && !isUtf8(body)) return refused("encoding");',
      "if (!allAscii && !isUtf8(body)) return scanBody(Buffer.from(body.toString('utf8')));",
    ),
  },
  {
    id: "trailing-bytes",
    layer: "decode",
    says: "What follows the JSON is passed over.",
    patches: patch(
      scan,
      'if (rest < body.length) return refused("trailing-bytes", rest);',
      "if (rest < body.length) return scanBody(body.subarray(0, rest));",
    ),
  },
  {
    id: "deeper",
    layer: "decode",
    says: "64 levels are taken.",
    patches: patch(limits, "depthMax = 32", "depthMax = 64"),
  },
  {
    id: "shallower",
    layer: "decode",
    says: "The 32nd level is refused.",
    patches: patch(limits, "depthMax = 32", "depthMax = 31"),
  },
  {
    id: "longer-texts",
    layer: "decode",
    says: "Strings of more than 4,096 characters are taken.",
    patches: patch(limits, "stringCharactersMax = 4096", "stringCharactersMax = 8192"),
  },
  {
    id: "text-length-in-bytes",
    layer: "decode",
    says: "The length of a string is counted in bytes.",
    patches: patch(
      text,
      "if (mayBeTooLong && characters(bytes, open + 1, at) > stringCharactersMax) {",
      "if (mayBeTooLong) {",
    ),
  },
  {
    id: "longer-lists",
    layer: "decode",
    says: "Arrays of more than 1,000 items are taken.",
    patches: patch(limits, "arrayItemsMax = 1000", "arrayItemsMax = 5000"),
  },
  {
    id: "lone-surrogates",
    layer: "decode",
    says: "Half a surrogate pair is taken.",
    patches: [
      ...patch(
        text,
        'return fail(cursor, "lone-surrogate", at);\n  }\n  const low',
        "return at + 6;\n  }\n  const low",
      ),
    ],
  },
  {
    id: "infinite-numbers",
    layer: "decode",
    says: "Numbers beyond all doubles are taken.",
    patches: patch(
      "runtime/pipeline/decode/scan-number.ts",
      "if (!exponent && at - start < surelyFiniteBytes) return at;",
      "return at;",
    ),
  },
  {
    id: "payload-optional",
    layer: "decode",
    says: "A missing payload is an empty one.",
    patches: patch(
      envelope,
      'if (!isObject(payload) || payloadBytes === undefined) throw invalid("payload");',
      'if (payload === undefined || payloadBytes === undefined) return { kind: "enveloped", id, methodName: method, api: pick(api, apiNames), payload: {}, payloadBytes: Buffer.from("{}") };\n    if (!isObject(payload)) throw invalid("payload");',
    ),
  },
  {
    id: "api-optional",
    layer: "decode",
    says: "Missing params.api is reported as a wrong credential.",
    patches: patch(
      envelope,
      'if (!isObject(api)) throw invalid("api");',
      'if (!isObject(api)) throw fault("badCredential");',
    ),
  },
  {
    id: "unknown-method-not-found",
    layer: "decode",
    says: "An unknown method is answered with CONFLICT.",
    patches: patch(
      pipeline,
      'throw fault("unauthorized", { reason: "unknown-method"',
      'throw fault("conflict", { reason: "unknown-method"',
    ),
  },
  {
    id: "unknown-method-after-credential",
    layer: "decode",
    says: "The credential is looked at before the method is known to exist.",
    patches: patch(
      pipeline,
      'throw fault("unauthorized", { reason: "unknown-method", rpcCode: methodNotFoundCode });',
      'if (envelope.api.credential === undefined) throw fault("badCredential");\n    throw fault("unauthorized", { reason: "unknown-method", rpcCode: methodNotFoundCode });',
    ),
  },
  {
    id: "method-names-trimmed",
    layer: "decode",
    says: "Blanks around the name of a method are passed over.",
    patches: patch(pipeline, "byName.get(envelope.methodName)", "byName.get(envelope.methodName.trim())"),
  },
  {
    id: "method-without-service",
    layer: "decode",
    says: "A method is found by its name without the service.",
    patches: patch(
      pipeline,
      "const method = byName.get(envelope.methodName);",
      'const method = byName.get(envelope.methodName) ?? [...byName.values()].find((each) => each.name.endsWith("." + envelope.methodName));',
    ),
  },
  {
    id: "flat-by-all-fields",
    layer: "decode",
    says: "A flat body selects its operation only by the first of its fields.",
    patches: patch(
      decode,
      "selectedBy: new Set(method.transport.selectedBy.map(foldName))",
      "selectedBy: new Set(method.transport.selectedBy.slice(0, 1).map(foldName))",
    ),
  },
  {
    id: "flat-despite-jsonrpc",
    layer: "decode",
    says: "A flat body with jsonrpc is taken as a flat one.",
    patches: patch(decode, '"method", "params", "jsonrpc"', '"method", "params"'),
  },
  {
    id: "empty-object-lists-sources",
    layer: "decode",
    says: "A body that selects no operation is reported as a wrong credential.",
    patches: patch(
      decode,
      'throw fault("badInput", { fieldName: "body", reason: "unknown-shape"',
      'throw fault("badCredential", { fieldName: "body", reason: "unknown-shape"',
    ),
  },
  {
    id: "batches",
    layer: "decode",
    says: "The first request of a batch is answered.",
    patches: patch(
      decode,
      "const root: JsonValue = JSON.parse(scanned.text);",
      "let root: JsonValue = JSON.parse(scanned.text);\n    if (Array.isArray(root) && isObject(root[0])) root = root[0];",
    ),
  },
];
