import {
  withApi,
  withBytes,
  withJson,
  withMembers,
  withParams,
  withText,
  withValues,
} from "../changes/requests.ts";
import { faultOf, type Fault } from "../fault.ts";

const fault = faultOf("decode");

/** How many levels a value has. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((max, part) => Math.max(max, depthOf(part)), 0);
}

/** Everything below a level is cut off. */
function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cutBelow(part, levels - 1)]));
}

/** The text up to the end of its first JSON value. */
function firstValue(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    const at = /after JSON at position (\d+)/.exec(String(error))?.[1];
    return at === undefined ? text : text.slice(0, Number(at));
  }
}

const tooDeep = "[".repeat(40) + "]".repeat(40);
const tooLong = "x".repeat(5_000);
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

export const decodeFaults: readonly Fault[] = [
  {
    id: "id-not-echoed",
    layer: "decode",
    description: "The id of the request is not echoed.",
    response: ({ json, isError }) => (isError ? json : { ...Object(json), id: "0" }),
  },
  {
    id: "id-null-in-errors",
    layer: "decode",
    description: "Errors have the id null though one was read.",
    response: ({ json, isError }) => (isError ? { ...Object(json), id: null } : json),
  },
  {
    id: "id-as-number",
    layer: "decode",
    description: "An id of digits is echoed as a number.",
    response: ({ json }) => {
      const { id } = Object(json);
      return typeof id === "string" && /^\d+$/.test(id) ? { ...Object(json), id: Number(id) } : json;
    },
  },
  {
    id: "id-trimmed",
    layer: "decode",
    description: "Blanks of an id are lost.",
    response: ({ json }) => {
      const { id } = Object(json);
      return typeof id === "string" ? { ...Object(json), id: id.trim() } : json;
    },
  },
  {
    id: "id-ascii",
    layer: "decode",
    description: "Characters of an id beyond ASCII are lost.",
    response: ({ json }) => {
      const { id } = Object(json);
      return typeof id === "string" ? { ...Object(json), id: id.replaceAll(/[^ -~]/g, "?") } : json;
    },
  },
  fault("long-ids", "Ids of more than 128 characters are taken.", {
    pipeline: withMembers((members) =>
      typeof members["id"] === "string" && members["id"].length > 128
        ? { ...members, id: members["id"].slice(0, 100) }
        : members,
    ),
  }),
  fault("id-length-in-units", "The length of an id is counted in UTF-16 units.", {
    pipeline: withMembers((members) =>
      typeof members["id"] === "string" && members["id"].length > 128 ? { ...members, id: "" } : members,
    ),
  }),
  fault("any-jsonrpc", "Any value of jsonrpc is taken.", {
    pipeline: withMembers((members) =>
      "jsonrpc" in members && members["jsonrpc"] !== "2.0" ? { ...members, jsonrpc: "2.0" } : members,
    ),
  }),
  fault("jsonrpc-required", "A request without jsonrpc is refused.", {
    pipeline: withMembers((members) =>
      "params" in members && !("jsonrpc" in members) ? { ...members, jsonrpc: "1.0" } : members,
    ),
  }),
  fault("duplicate-keys", "Of a name that an object has twice the last one counts.", {
    pipeline: withJson((json) =>
      isObject(json) ? Object.assign(Array.isArray(json) ? [] : {}, json) : json,
    ),
  }),
  fault("byte-order-mark", "A byte order mark is passed over.", {
    pipeline: withBytes((body) => (body[0] === 0xef ? body.subarray(3) : body)),
  }),
  fault("invalid-utf8", "Bytes that are no UTF-8 are replaced rather than refused.", {
    pipeline: withBytes((body) => Buffer.from(body.toString())),
  }),
  fault("trailing-bytes", "What follows the JSON is passed over.", { pipeline: withText(firstValue) }),
  fault("deeper", "More than 32 levels are taken.", {
    pipeline: withJson((json) => (depthOf(json) > 32 ? cutBelow(json, 32) : json)),
  }),
  fault("shallower", "The 32nd level is refused.", {
    pipeline: withText((text) => {
      try {
        return depthOf(JSON.parse(text)) >= 32 ? tooDeep : text;
      } catch {
        return text;
      }
    }),
  }),
  fault("longer-texts", "Strings of more than 4,096 characters are taken.", {
    pipeline: withValues((value) =>
      typeof value === "string" && Array.from(value).length > 4_096 ? value.slice(0, 4_000) : value,
    ),
  }),
  fault("text-length-in-bytes", "The length of a string is counted in bytes.", {
    pipeline: withValues((value) =>
      typeof value === "string" && Buffer.byteLength(value) > 4_096 ? tooLong : value,
    ),
  }),
  fault("longer-lists", "Arrays of more than 1,000 items are taken.", {
    pipeline: withValues((value) =>
      Array.isArray(value) && value.length > 1_000 ? value.slice(0, 10) : value,
    ),
  }),
  fault("lone-surrogates", "Half a surrogate pair is taken.", {
    pipeline: withValues((value) =>
      typeof value === "string" && !value.isWellFormed() ? value.toWellFormed() : value,
    ),
  }),
  fault("infinite-numbers", "Numbers beyond all doubles are taken.", {
    pipeline: withValues((value) => (value === Infinity || value === -Infinity ? 0 : value)),
  }),
  fault("payload-optional", "A missing payload is an empty one.", {
    pipeline: withParams((params) => ("payload" in params ? params : { ...params, payload: {} })),
  }),
  fault("api-optional", "Missing params.api is reported as a wrong credential.", {
    pipeline: withParams((params) => (isObject(params["api"]) ? params : { ...params, api: {} })),
  }),
  fault("unknown-member-of-api", "Members of params.api that are null count as absent.", {
    pipeline: withApi((api) => {
      const kept = Object.entries(api).filter(([, value]) => value !== null);
      return kept.length === Object.keys(api).length ? api : Object.fromEntries(kept);
    }),
  }),
  fault("unknown-method-not-found", "An unknown method is answered with CONFLICT.", {
    response: ({ json, isError }) => {
      const { error } = Object(json);
      return isError && error.data?.reason === "unknown-method"
        ? { ...Object(json), error: { ...error, code: "CONFLICT" } }
        : json;
    },
  }),
  fault("method-names-trimmed", "Blanks around the name of a method are passed over.", {
    pipeline: withMembers((members) =>
      typeof members["method"] === "string" && members["method"].trim() !== members["method"]
        ? { ...members, method: members["method"].trim() }
        : members,
    ),
  }),
  fault("method-without-service", "A method is found by its name without the service.", {
    pipeline: withMembers((members) =>
      members["method"] === "GetAccount" ? { ...members, method: "AccountService.GetAccount" } : members,
    ),
  }),
  fault("flat-despite-jsonrpc", "A flat body with jsonrpc is taken as a flat one.", {
    pipeline: withMembers((members) => {
      const { jsonrpc, ...others } = members;
      return "method" in members || "params" in members || jsonrpc === undefined ? members : others;
    }),
  }),
  fault("batches", "The first request of a batch is answered.", {
    pipeline: withJson((json) => (Array.isArray(json) && isObject(json[0]) ? json[0] : json)),
  }),
  fault("null-is-absent", "Members of a payload that are null count as absent.", {
    pipeline: withParams((params) => {
      const { payload } = params;
      if (!isObject(payload)) return params;
      const kept = Object.entries(Object(payload)).filter(([, value]) => value !== null);
      return kept.length === Object.keys(Object(payload)).length
        ? params
        : { ...params, payload: Object.fromEntries(kept) };
    }),
  }),
];
