import { AsyncLocalStorage } from "node:async_hooks";
import type { Pipeline } from "../../runtime/pipeline/index.ts";

interface CurrentRequest {
  readonly text: string;
  /** The parsed text; an empty object if it is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
}

const requests = new AsyncLocalStorage<CurrentRequest>();
const none: CurrentRequest = { text: "", json: {} };

/** The request that the documented interface is answering: what a port behind the pipeline is not told. */
export function currentRequest(): CurrentRequest {
  return requests.getStore() ?? none;
}

/** The operation that the current request names; undefined where its body is flat. */
export function currentMethod(): string | undefined {
  const { method } = currentRequest().json;
  return typeof method === "string" ? method : undefined;
}

/** The payload of the current request: its `params.payload`, or a flat body as a whole. */
export function currentPayload(): Readonly<Record<string, unknown>> {
  const { json } = currentRequest();
  const { payload } = Object(json["params"]);
  return "method" in json ? Object(payload) : json;
}

/** User name and API key of the current request, as its credential has them. */
export function currentCredential(): { readonly userName: string; readonly apiKey: string } {
  const { credential } = Object(Object(currentRequest().json["params"]).api);
  const text = Buffer.from(String(credential).replace(/^Basic /, ""), "base64").toString();
  const colon = text.indexOf(":");
  return { userName: text.slice(0, Math.max(colon, 0)), apiKey: text.slice(colon + 1) };
}

/** The pipeline, with its request known to whatever it calls. */
export function knowingItsRequest(pipeline: Pipeline): Pipeline {
  return {
    ...pipeline,
    answer: (request) => {
      const text = request.body.toString();
      return requests.run({ text, json: parsed(text) }, () => pipeline.answer(request));
    },
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
