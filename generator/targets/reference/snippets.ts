import { shellWord } from "../../../conformance/request/shell-word.ts";
import { provesKey } from "../../../conformance/suite/proves-key.ts";
import { exampleId, methodPath, requestIdOf } from "../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { standardParams } from "../../print/standard-params.ts";
import { fillTemplate } from "../../print/template.ts";
import { highlighted, type CodeHtml, type CodeLanguage } from "./code.ts";
import { isNotification, payloadOf } from "./examples.ts";
import { headersFor, isOpen } from "./pages/schemes.ts";

/** The same call in a language, as a whole program. */
export interface Snippet {
  readonly id: string;
  readonly language: string;
  /** How it is run. */
  readonly command: string;
  readonly text: string;
  readonly html: CodeHtml;
}

interface Language {
  readonly id: string;
  readonly language: string;
  readonly code: CodeLanguage;
  readonly file: string;
  readonly command: string;
}

const signedCalls: readonly Language[] = [
  { id: "curl", language: "curl and OpenSSL", code: "bash", file: "call.sh", command: "sh call.sh" },
  { id: "typescript", language: "TypeScript", code: "typescript", file: "call.ts", command: "node call.ts" },
  { id: "python", language: "Python", code: "python", file: "call.py", command: "python3 call.py" },
  { id: "java", language: "Java", code: "java", file: "Call.java", command: "java Call.java" },
  { id: "go", language: "Go", code: "go", file: "call.go", command: "go run call.go" },
];

const standardCalls: readonly Language[] = [
  { id: "curl", language: "curl", code: "bash", file: "plain.sh", command: "sh call.sh" },
  { id: "typescript", language: "TypeScript", code: "typescript", file: "plain.ts", command: "node call.ts" },
  { id: "python", language: "Python", code: "python", file: "plain.py", command: "python3 call.py" },
];

const receivers: readonly Language[] = [
  {
    id: "typescript",
    language: "TypeScript",
    code: "typescript",
    file: "receive.ts",
    command: "node receive.ts",
  },
  { id: "python", language: "Python", code: "python", file: "receive.py", command: "python3 receive.py" },
];

/** Programs that make a first call, one that needs nothing that a new caller does not have. */
export function snippetsOf(model: ServiceModel): readonly Snippet[] {
  const method = firstMethod(model);
  return method === undefined ? [] : programsOf(method, model);
}

/** The method of a first call: what everyone may read, or the plainest read. */
export function firstMethod(model: ServiceModel): MethodModel | undefined {
  if (model.wire.protocol !== "json-rpc-2.0") return plainestRead(model);
  const reads = model.methods.filter(({ effect }) => effect === "read");
  return reads.find(isOpen) ?? reads[0] ?? model.methods.find(isOpen) ?? model.methods[0];
}

/**
 * Programs that make one call of a method; where, who calls and with which key, they read from the environment. None for a call
 * that has its signature in headers.
 */
export function programsOf(method: MethodModel, model: ServiceModel): readonly Snippet[] {
  const { transport } = method;
  if (transport.kind === "json-rpc") return filled(standardCalls, standardValues(method, model));
  if (transport.kind === "flat" || !provesKey(transport)) return [];
  const payload = jsonText(payloadOf(method, model));
  const name = jsonText(method.name);
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
  return filled(
    signedCalls.filter(({ id }) => id !== "go" || requestIdOf(model, method) === undefined),
    values,
  );
}

/** Programs that receive notifications and verify them; none where events come over a connection of the caller's. */
export function receiversOf({ wire }: ServiceModel): readonly Snippet[] {
  return wire.protocol === "json-rpc-2.0" ? [] : filled(receivers, {});
}

function filled(
  languages: readonly Language[],
  values: Readonly<Record<string, string>>,
): readonly Snippet[] {
  return languages.map(({ id, language, code, file, command }) => {
    const text = fillTemplate(`reference/snippets/${file}`, values);
    return { id, language, command, text, html: highlighted(text, code) };
  });
}

function standardValues(method: MethodModel, model: ServiceModel): Readonly<Record<string, string>> {
  const id = isNotification(method) ? {} : { id: 1 };
  const params = standardParams(method, payloadOf(method, model));
  const body = jsonText({ jsonrpc: "2.0", ...id, method: method.name, params });
  const lines = isOpen(method) ? [] : headersFor(method, model);
  const headers = Object.fromEntries(
    ["Content-Type: application/json", ...lines].map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  return {
    path: methodPath(method, model),
    bodyInScript: scriptText(body),
    headers: jsonText(headers),
    bodyInShell: shellWord(body),
    headersInShell: lines.map((line) => ` -H ${shellWord(line)}`).join(""),
  };
}

/** How a program makes the id of its request: where ids have a pattern, it is always the same one, as reads may have. */
function idsOf(model: ServiceModel, method: MethodModel) {
  const id = jsonText(exampleId(model, "", method));
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

/** JSON as a text literal of TypeScript and Python, with the quotes of JSON as they are. */
function scriptText(json: string): string {
  return `'${json.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** JSON as a text literal of TypeScript, Python, Java and Go. JSON of a text is one, too. */
function quoted(json: string): string {
  return JSON.stringify(json);
}

/** JSON in which no character hides, turns the line, or is refused by one of the languages. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
