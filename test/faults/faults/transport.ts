import { withHeader } from "../changes/authentication.ts";
import { faultOf, type Fault } from "../fault.ts";

const fault = faultOf("transport");
const revision = "x-interface-revision";

export const transportFaults: readonly Fault[] = [
  fault("get-is-404", "GET on the path of the interface is answered as if nothing were there.", {
    status: ({ status }) => (status === 405 ? 404 : status),
  }),
  fault("no-allow", "A wrong HTTP method is refused without Allow.", {
    headers: ({ allow: _allow, ...others }) => others,
  }),
  fault("any-content-type", "Any content type is taken.", {
    request: withHeader("content-type", () => "application/json"),
  }),
  fault("any-content-encoding", "Any content encoding is taken.", {
    request: withHeader("content-encoding", () => undefined),
  }),
  fault("strict-content-type", "A content type with a charset is refused.", {
    request: withHeader("content-type", (type) => (type === "application/json" ? type : "text/plain")),
  }),
  fault("path-with-slash", "The path of the interface may end with a slash.", {
    request: ({ target, headers }) => ({ target: target.replace(/(?<=.)\/(?=$|\?)/, ""), headers }),
  }),
  fault("created-status", "A success has HTTP status 201.", {
    status: ({ status, isError }) => (isError ? status : 201),
  }),
  fault("mapped-status", "Errors have HTTP status 400 though the envelope could be parsed.", {
    status: ({ status, isError }) => (isError && status === 200 ? 400 : status),
  }),
  fault("unparseable-is-200", "A body that is no JSON is answered with HTTP status 200.", {
    status: ({ status }) => (status === 400 ? 200 : status),
  }),
  fault("too-large-is-400", "A body that is too large is answered with HTTP status 400.", {
    status: ({ status }) => (status === 413 ? 400 : status),
  }),
  fault("no-revision", "Responses do not name the revision of the interface.", {
    headers: ({ [revision]: _revision, ...others }) => others,
  }),
  fault("other-revision", "Responses name another revision of the interface.", {
    headers: (headers) => (revision in headers ? { ...headers, [revision]: "1.0.10" } : headers),
  }),
  fault("html-content-type", "Every response has the content type of a page.", {
    headers: (headers) => ({ ...headers, "content-type": "text/html; charset=utf-8" }),
  }),
  fault("smaller-bodies", "Bodies of more than 200 KiB are refused.", {
    pipeline: (pipeline) => ({
      ...pipeline,
      answer: async (request) =>
        request.body.length > 200 * 1024
          ? pipeline.refuse("invalidRequest", 413, "too-large")
          : pipeline.answer(request),
    }),
  }),
  fault("no-key-set", "The service does not show its public keys.", {
    request: ({ target, headers }) => ({ target: target.replace("/jwks.json", "/no-keys.json"), headers }),
  }),
];
