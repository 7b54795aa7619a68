import { RpcError, type PayloadValidator } from "../../contract/index.ts";
import { refuse, type DecodedCall, type Protocol, type ServedMethod } from "../port.ts";

/** The methods of a generated `methods.ts`. */
export interface ProblemInterface {
  readonly revision: string;
  readonly path: string;
  readonly methods: Readonly<Record<string, ProblemMethod>>;
}

interface ProblemMethod extends ServedMethod {
  readonly validate: PayloadValidator;
  readonly errors: Readonly<Record<string, { readonly message: string; readonly httpStatus: number }>>;
}

interface ProblemCall extends DecodedCall {
  readonly payload: object;
}

/** Calls whose members are their parameters, and errors that are problem objects (RFC 9457). */
export function problems({
  methods,
  path,
  revision,
}: ProblemInterface): Protocol<ProblemMethod, ProblemCall> {
  return {
    name: "problem",
    revision,
    path,
    methods,
    schemes: {},
    messageBytesMax: 100_000,
    notifiedStatus: 204,
    securityOf: () => [],
    decode(bytes) {
      const { method, ...payload } = Object(JSON.parse(bytes.toString()));
      if (typeof method !== "string") return { kind: "refused", id: "0", refused: refuse("invalidRequest") };
      return { kind: "single", call: { kind: "call", id: "0", method, payload } };
    },
    evidenceOf: ({ method }) => ({ method }),
    read: ({ validate }, { payload }) =>
      validate(payload) ? { kind: "valid", payload } : refuse("invalidParams"),
    printResult: (_method, result) => JSON.stringify(result),
    printResponse: (_method, _id, text) => text,
    failureOf(failed, method) {
      const code = failed instanceof RpcError ? failed.code : failed.fault;
      const { message: title, httpStatus: status } = method?.errors[code] ?? {
        message: code,
        httpStatus: 400,
      };
      const text = JSON.stringify({ type: `urn:problem:${code}`, title, status });
      return { code, httpStatus: status, print: () => text };
    },
  };
}
