import type { ExampleModel, MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { errorsOfMethod, exampleId, payloadShapes, readingOf } from "../../model/index.ts";
import { sentValue } from "../../print/sent-value.ts";
import { standardParams } from "../../print/standard-params.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";
import { jsonHtml, type CodeHtml } from "./code.ts";

/** A call and its answer, as bodies on the wire. */
export interface ExampleView {
  readonly name: string;
  readonly request: CodeHtml;
  readonly answer: CodeHtml | undefined;
  readonly isError: boolean;
}

/** The examples of a method; where the spec has none, one that is made of its types. */
export function examplesOf(method: MethodModel, model: ServiceModel): readonly ExampleView[] {
  const examples = method.examples.length > 0 ? method.examples : [madeExample(method, model)];
  return examples.map((example) => ({
    name: example.name,
    request: jsonHtml(requestBody(method, example.payload, model)),
    answer: answerHtml(method, example, model),
    isError: example.error !== undefined,
  }));
}

/** Whether a method is only called without an id: it is never answered. */
export function isNotification({ transport }: MethodModel): boolean {
  return transport.kind === "json-rpc" && transport.notify === "only";
}

/** The payload of the first example that succeeds. */
export function payloadOf(method: MethodModel, model: ServiceModel): unknown {
  const example = method.examples.find(({ result }) => result !== undefined);
  return (example ?? madeExample(method, model)).payload;
}

function madeExample({ payload, result }: MethodModel, model: ServiceModel): ExampleModel {
  const [first] = payloadShapes(payload);
  const made = (shape: Shape | undefined, direction: SampleReading["direction"]): unknown =>
    shape === undefined ? {} : instanceOf(shape, "minimal", plainReading(model, direction));
  return { name: "Smallest request", payload: made(first, "request"), result: made(result, "response") };
}

/** Makes values of the interface's types; a field's own example where it has one. */
export function plainReading(model: ServiceModel, direction: SampleReading["direction"]): SampleReading {
  return readingOf(model, direction, (field) => field.example);
}

const usualId = "7d1f6c3a";

function requestBody(method: MethodModel, payload: unknown, model: ServiceModel): unknown {
  const { name, transport } = method;
  if (transport.kind === "flat") return payload;
  if (transport.kind === "json-rpc") {
    const id = isNotification(method) ? {} : { id: 1 };
    return { jsonrpc: "2.0", ...id, method: name, params: standardParams(method, payload) };
  }
  const api = Object.fromEntries(transport.auth.map((member) => [member, `<${member}>`]));
  return { jsonrpc: "2.0", id: exampleId(model, usualId, method), method: name, params: { api, payload } };
}

function answerHtml(
  method: MethodModel,
  { result, error }: ExampleModel,
  model: ServiceModel,
): CodeHtml | undefined {
  if (isNotification(method)) return undefined;
  if (error !== undefined) return jsonHtml(errorBody(method, error, model));
  if (result === undefined) return undefined;
  const sent = sentValue(result, method.result, model);
  if (method.transport.kind === "flat") return jsonHtml(sent);
  if (method.transport.kind === "json-rpc") return jsonHtml({ jsonrpc: "2.0", id: 1, result: sent });
  const version = method.transport.jsonrpc ? { jsonrpc: "2.0" } : {};
  const none = method.transport.nullError === true ? { error: null } : {};
  return jsonHtml({ ...version, id: exampleId(model, usualId, method), result: sent, ...none });
}

function errorBody(method: MethodModel, code: string, model: ServiceModel): unknown {
  const known = errorsOfMethod(model, method).find((error) => error.code === code);
  const body = { code: known?.declared.wireCode ?? code, message: known?.message ?? "" };
  return method.transport.kind === "flat"
    ? { error: body }
    : { jsonrpc: "2.0", id: exampleId(model, usualId, method), error: body };
}
