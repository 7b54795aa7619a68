import { patch, type Fault } from "../fault.ts";

const endpoint = "runtime/http/rpc.ts";
const app = "runtime/http/app.ts";

export const transportFaults: readonly Fault[] = [
  {
    id: "get-is-404",
    layer: "transport",
    says: "GET on the path of the interface is answered as if nothing were there.",
    patches: patch(app, "app.all([pipeline.path,", "app.post([pipeline.path,"),
  },
  {
    id: "no-allow",
    layer: "transport",
    says: "A wrong HTTP method is refused without Allow.",
    patches: patch(endpoint, 'if (answered.status === 405) response.setHeader("Allow", "POST");', ""),
  },
  {
    id: "any-content-type",
    layer: "transport",
    says: "Any content type is taken.",
    patches: patch(endpoint, "if (!isJson(", "if (false && !isJson("),
  },
  {
    id: "any-content-encoding",
    layer: "transport",
    says: "Any content encoding is taken.",
    patches: patch(endpoint, 'if (encoding.toLowerCase() !== "identity")', 'if (encoding === "br")'),
  },
  {
    id: "strict-content-type",
    layer: "transport",
    says: "A content type with a charset is refused.",
    patches: patch(
      endpoint,
      'if (!isJson(headers["content-type"]))',
      'if (headers["content-type"] !== "application/json")',
    ),
  },
  {
    id: "created-status",
    layer: "transport",
    says: "A success has HTTP status 201.",
    status: ({ status, isError }) => (isError ? status : 201),
  },
  {
    id: "mapped-status",
    layer: "transport",
    says: "Errors have HTTP status 400 though the envelope could be parsed.",
    status: ({ status, isError }) => (isError && status === 200 ? 400 : status),
  },
  {
    id: "unparseable-is-200",
    layer: "transport",
    says: "A body that is no JSON is answered with HTTP status 200.",
    status: ({ status }) => (status === 400 ? 200 : status),
  },
  {
    id: "too-large-is-400",
    layer: "transport",
    says: "A body that is too large is answered with HTTP status 400.",
    status: ({ status }) => (status === 413 ? 400 : status),
  },
  {
    id: "no-revision",
    layer: "transport",
    says: "Answers do not say the revision of the interface.",
    patches: patch("runtime/http/send-response.ts", '"X-Interface-Revision": frame.revision,', ""),
  },
  {
    id: "other-revision",
    layer: "transport",
    says: "Answers say another revision of the interface.",
    patches: patch(
      "runtime/http/send-response.ts",
      '"X-Interface-Revision": frame.revision,',
      '"X-Interface-Revision": "1.0.10",',
    ),
  },
  {
    id: "smaller-bodies",
    layer: "transport",
    says: "Bodies of more than 200 KiB are refused.",
    patches: patch("runtime/pipeline/decode/limits.ts", "256 * 1024", "200 * 1024"),
  },
  {
    id: "larger-bodies",
    layer: "transport",
    says: "Bodies of up to a MiB are taken.",
    patches: patch("runtime/pipeline/decode/limits.ts", "256 * 1024", "1024 * 1024"),
  },
];
