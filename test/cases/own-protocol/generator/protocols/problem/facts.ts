import { isJsonObject } from "../../../conformance/values/index.ts";
import type { Protocol } from "../protocol.ts";

/** `{"method": …, …parameters}` is answered with the result, or with a problem object. */
export const facts: Protocol = {
  protocol: "problem",
  without: ["revisions", "shapes"],
  errorCode: "name",
  isSigned: false,
  postsEvents: false,
  transports: () => ["http"],
  ignoresCase: false,
  pathKeys: ["wire", "http", "path"],
  typesEvents: true,
  sendsStatuses: () => true,
  clientMembers: () => ({ methods: [], lists: [] }),
  exchange: {
    request: ({ name }, payload) => ({ method: name, ...(isJsonObject(payload) ? payload : {}) }),
    answer: (_method, result) => result,
    failure: ({ code, httpStatus }, title) => ({ type: `urn:problem:${code}`, title, status: httpStatus }),
  },
};
