import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { schemeKindOf } from "../../conformance/request/schemes/index.ts";
import { instanceOf, type SampleReading } from "../../conformance/samples/index.ts";
import { requestReading } from "../../generator/targets/conformance/suite-of.ts";
import {
  formsOf,
  methodPath,
  payloadShapes,
  type MethodModel,
  type SchemeModel,
  type ServiceModel,
} from "../../generator/model/index.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";

/** One request of a collection. `{{name}}` stands for a variable, in both formats; texts of the spec hold none. */
export interface CollectionRequest {
  readonly name: string;
  /** The service of the interface that it belongs to. */
  readonly folder?: string;
  readonly doc: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Indented JSON. */
  readonly body: string;
}

/**
 * A text without `{{`, which has no escape in either program: a word joiner, which nobody sees, parts the braces. For
 * names and descriptions.
 */
export function withoutVariables(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, "{\u2060");
}

/** The text of JSON with `{{` as an escape of JSON: brackets of objects never follow one another at once. */
function jsonWithoutVariables(json: string): string {
  return json.replaceAll(/\{(?=\{)/g, String.raw`\u007b`);
}

/** A request for each form of each operation, with the smallest payload that it takes. */
export function requestsOf(model: ServiceModel): readonly CollectionRequest[] {
  return model.methods.flatMap((method) => {
    const { service, doc } = method;
    const headers = {
      "Content-Type": "application/json",
      ...partOf(model, "collection").headers(method, model),
    };
    const bodyOf = (payload: unknown): unknown => protocolOf(model).exchange.request(method, payload, model);
    return payloadsOf(method, model).map(({ form, payload, variables }) =>
      omitUndefined({
        name: withoutVariables(form === undefined ? method.name : `${method.name} (${form})`),
        doc: withoutVariables(doc),
        path: methodPath(method, model),
        headers: { ...headers, ...credentialHeaders(method, model) },
        body: variables(jsonWithoutVariables(JSON.stringify(bodyOf(payload), undefined, 2))),
        folder: service,
      }),
    );
  });
}

interface MadePayload {
  readonly form: string | undefined;
  /** With marks where variables stand. */
  readonly payload: unknown;
  /** Puts variables in place of the marks. */
  readonly variables: (json: string) => string;
}

/** A change of state asks for the state that new objects have: the requests that follow then find the object in use. */
function payloadsOf(method: MethodModel, model: ServiceModel): readonly MadePayload[] {
  const firstStates = new Map(
    model.states.map(({ type, transitions }) => [type, transitions.find(({ from }) => from === "none")?.to]),
  );
  const reading = requestReading(method, model);
  const readingWith = (mark: string): SampleReading => ({
    ...reading,
    given(field, at) {
      const { shape } = field;
      const sample = field.identifies ?? field.refersTo;
      if (sample !== undefined) {
        const value = `${mark}${variableOf(sample, model)}${mark}`;
        return shape.kind === "array" ? [value] : value;
      }
      if (shape.kind !== "ref" || !firstStates.has(shape.type)) return reading.given?.(field, at);
      const states = reading.resolve(shape);
      return firstStates.get(shape.type) ?? (states.kind === "enum" ? states.values[0]?.value : undefined);
    },
  });
  return formsOf(method.payload).map(({ name, shape }) => {
    const mark = markBeside(JSON.stringify(instanceOf(shape, "minimal", readingWith(""))));
    const marked = new RegExp(`"${mark}(\\w+)${mark}"`, "g");
    return {
      form: name,
      payload: instanceOf(shape, "minimal", readingWith(mark)),
      variables: (json) => json.replaceAll(marked, '"{{$1}}"'),
    };
  });
}

/** A mark that no text of a spec can pretend to be. */
function markBeside(json: string): string {
  let mark = "@";
  while (json.includes(mark)) mark += "@";
  return mark;
}

/** A sample of a spec's author never stands for a secret of the caller. */
export function variableOf(sample: string, model: ServiceModel): string {
  return isSecret(sample, model) ? `${sample}Sample` : sample;
}

/** Credentials of a standard interface: the first alternative, in variables named by scheme. */
function credentialHeaders(
  { security }: MethodModel,
  { schemes }: ServiceModel,
): Readonly<Record<string, string>> {
  const [uses = []] = security;
  const used = uses.flatMap(({ scheme }) => schemes.filter(({ name }) => name === scheme));
  return Object.fromEntries(used.map(headerOf).filter((header) => header !== undefined));
}

/** A header and the text with its variable; nothing for a scheme that no variable alone can serve. */
function headerOf({ name, kind, options }: SchemeModel): readonly [string, string] | undefined {
  const variable = schemeKindOf(kind)?.variable;
  return variable && [variable.header(options), `${variable.before}{{${name}}}`];
}

/** The schemes that a collection cannot serve: what they cover has to be computed for each request. */
export function unservedSchemes({ schemes }: ServiceModel): readonly string[] {
  return schemes.filter((scheme) => headerOf(scheme) === undefined).map(({ name }) => name);
}

/** The variables that requests and scripts ask for, `baseUrl` first. */
export function variablesOf(model: ServiceModel, requests: readonly CollectionRequest[]): readonly string[] {
  const named = requests.flatMap(({ body, headers }) => [
    ...`${body}\n${Object.values(headers).join("\n")}`.matchAll(/\{\{(\w+)\}\}/g),
  ]);
  const signing = partOf(model, "collection").variables;
  return [...new Set(["baseUrl", ...signing, ...named.map(([, name = ""]) => name)])];
}

/** Values of variables: those that are given, else the examples of the fields that they stand for. */
export function valueOf(name: string, model: ServiceModel, given: Readonly<Record<string, string>>): string {
  if (Object.hasOwn(given, name)) return given[name] ?? "";
  const fields = model.methods.flatMap(({ payload }) =>
    payloadShapes(payload).flatMap((shape) => shape.fields),
  );
  const example = fields.find(({ identifies, refersTo, example: each }) => {
    const sample = identifies ?? refersTo;
    return sample !== undefined && variableOf(sample, model) === name && typeof each === "string";
  })?.example;
  // It is put into the text of JSON as it is, and variables in it are replaced, too.
  return typeof example === "string" ? jsonWithoutVariables(JSON.stringify(example)).slice(1, -1) : "";
}

/** Whether a variable is a secret of the caller. */
export function isSecret(variable: string, { schemes }: ServiceModel): boolean {
  return ["apiKey", "privateKey"].includes(variable) || schemes.some(({ name }) => name === variable);
}

/** The text of a file that is a JSON document. */
export function jsonFile(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
