import { shellWord } from "../../../../conformance/base/shell-word.ts";
import { provesKey } from "../../../../conformance/suite/methods.ts";
import { exampleId, flatMethods, methodPath, requestIdOf } from "../../../model/index.ts";
import type {
  ErrorModel,
  FlatTransportModel,
  MethodModel,
  ServiceModel,
} from "../../../model/service-model.ts";
import { payloadOf } from "../../../targets/reference/code.ts";
import type { PageContext } from "../../../targets/reference/page-context.ts";
import {
  bodyText,
  filledPrograms,
  quoted,
  scriptText,
  type ProgramTemplate,
  type Snippet,
} from "../../../targets/reference/snippets.ts";
import type { CallFacts, ReferencePart } from "../../protocol.ts";
import { signedTransport } from "../wire.ts";

export const reference: ReferencePart = {
  firstCall: (context) => ({ template: "authentication", view: firstCallView(context) }),
  programs,
  receivers: () => filledPrograms(receivers, {}),
  call: callFacts,
  status: statusWords,
  notification: (_event, payload) => payload,
  tried: { calls: "envelope" },
};

/** What every call carries, and the same call written in several languages. */
function firstCallView(context: PageContext): object {
  const { model, links } = context;
  const named = (name: string) => ({ name, href: links.error(name) });
  return {
    endpoint: `POST ${model.path}`,
    members: model.auth.map((member) => ({
      ...context.remarks(member),
      name: member.name,
      missing: named(member.missing),
      requiredBy: model.methods.filter(
        ({ transport }) => transport.kind === "enveloped" && transport.auth.includes(member.name),
      ).length,
    })),
    headers: model.authHeaders.map((header) => ({
      ...context.remarks(header),
      name: header.name,
      format: header.format,
    })),
    hasFlat: model.methods.some(({ transport }) => transport.kind === "flat"),
    snippets: context.shown(programs(model)),
  };
}

const languages: readonly ProgramTemplate[] = [
  { id: "curl", language: "curl and OpenSSL", code: "bash", file: "call.sh", command: "sh call.sh" },
  { id: "typescript", language: "TypeScript", code: "typescript", file: "call.ts", command: "node call.ts" },
  { id: "python", language: "Python", code: "python", file: "call.py", command: "python3 call.py" },
  { id: "java", language: "Java", code: "java", file: "Call.java", command: "java Call.java" },
  { id: "go", language: "Go", code: "go", file: "call.go", command: "go run call.go" },
];

const receivers: readonly ProgramTemplate[] = [
  {
    id: "typescript",
    language: "TypeScript",
    code: "typescript",
    file: "receive.ts",
    command: "node receive.ts",
  },
  { id: "python", language: "Python", code: "python", file: "receive.py", command: "python3 receive.py" },
];

/** None for a call that has its signature in headers. Where, who calls and with which key, they read from the environment. */
function programs(model: ServiceModel, method = plainestRead(model)): readonly Snippet[] {
  if (method === undefined) return [];
  const transport = signedTransport(method.transport);
  if (transport.kind === "flat" || !provesKey(transport)) return [];
  const payload = bodyText(payloadOf(method, model));
  const name = bodyText(method.name);
  const values = {
    path: methodPath(method, model),
    methodInShell: shellWord(name),
    payloadInShell: shellWord(payload),
    method: name,
    methodInJava: quoted(name),
    payload: quoted(payload),
    payloadInScript: scriptText(payload),
    revision: model.revision,
    ...idsOf(model, method),
  };
  return filledPrograms(
    languages.filter(({ id }) => id !== "go" || requestIdOf(model, method) === undefined),
    values,
  );
}

/** How a program makes the id of its request: where ids have a pattern, it is always the same one, as reads may have. */
function idsOf(model: ServiceModel, method: MethodModel) {
  const id = bodyText(exampleId(model, "", method));
  const isDrawn = requestIdOf(model, method) === undefined;
  return {
    idInShell: isDrawn ? `'"'$(openssl rand -hex 16)'"'` : shellWord(id),
    idInTypeScript: isDrawn ? "randomUUID()" : id,
    idInPython: isDrawn ? "str(uuid.uuid4())" : id,
    idInJava: isDrawn ? String.raw`"\"" + UUID.randomUUID() + "\""` : quoted(id),
  };
}

/** The read with the smallest payload that names no thing of the service's, of those that are signed in an envelope. */
function plainestRead(model: ServiceModel): MethodModel | undefined {
  const missing = new Set(
    model.errors.filter(({ httpStatus }) => httpStatus === 404).map(({ code }) => code),
  );
  const [plainest] = model.methods
    .filter(({ transport }) => transport.kind === "enveloped" && provesKey(transport))
    .map((method) => {
      const { length } = JSON.stringify(payloadOf(method, model));
      const mayMiss = method.errors.some(({ code }) => missing.has(code));
      return { method, weight: (method.effect === "read" ? 0 : 1e6) + (mayMiss ? 1e5 : 0) + length };
    })
    .toSorted((a, b) => a.weight - b.weight);
  return plainest?.method;
}

function callFacts(method: MethodModel, model: ServiceModel): CallFacts {
  const transport = signedTransport(method.transport);
  const creates = "Creates. A repetition under the same request id is answered as the first was.";
  if (transport.kind === "enveloped") return { creates, view: { auth: transport.auth } };
  const flat = selectorWords(transport);
  return { creates, view: { isFlat: true, flat, flatAfter: earlierOperations(method, model) } };
}

/** `operation = "subscribe"`, where a field selects other operations by other values. */
function selectorWords({ selectedBy, only = {} }: FlatTransportModel): string {
  const held = new Map(Object.entries(only));
  return selectedBy
    .map((name) => {
      const value = held.get(name);
      if (value === undefined) return name;
      if ("type" in value) return `${name} (${value.type})`;
      return `${name} = ${value.oneOf.map((one) => JSON.stringify(one)).join(" or ")}`;
    })
    .join(", ");
}

/** The operations that a body is rather than this one, where the spec orders them. */
function earlierOperations(method: MethodModel, model: ServiceModel): string | undefined {
  const flat = flatMethods(model.methods).filter(({ path }) => path === method.path);
  if (flat.every(({ transport }) => transport.order === undefined)) return undefined;
  const earlier = flat.slice(
    0,
    flat.findIndex(({ name }) => name === method.name),
  );
  return earlier.length === 0 ? undefined : earlier.map(({ name }) => name).join(" or ");
}

/** The status that is sent unless a setting says otherwise, and when it is another. */
function statusWords({ code, httpStatus }: ErrorModel, { faults }: ServiceModel): string {
  if (code === faults["rateLimited"]) return "429";
  if (code === faults["unavailable"]) return "503";
  const mapped = `; ${httpStatus} where the service is set to map codes to statuses`;
  return code === faults["badInput"]
    ? `200; 400 for a body that is not JSON, 413 for one that is too large${mapped}`
    : `200${mapped}`;
}
