import { shellWord } from "../../../conformance/request/shell-word.ts";
import { provesKey } from "../../../conformance/suite/proves-key.ts";
import { exampleId, methodPath, requestIdOf } from "../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { fillTemplate } from "../../print/template.ts";
import { payloadOf } from "./examples.ts";

/** The same signed call in a language, as a whole program. */
export interface Snippet {
  readonly id: string;
  readonly language: string;
  /** How it is run. */
  readonly command: string;
  readonly text: string;
}

const languages = [
  { id: "curl", language: "curl and OpenSSL", file: "call.sh", command: "sh call.sh" },
  { id: "typescript", language: "TypeScript", file: "call.ts", command: "node call.ts" },
  { id: "python", language: "Python", file: "call.py", command: "python3 call.py" },
  { id: "java", language: "Java", file: "Call.java", command: "java Call.java" },
  { id: "go", language: "Go", file: "call.go", command: "go run call.go" },
] as const;

/** Programs that make one signed call; who calls, and with which key, they read from the environment. */
export function snippetsOf(model: ServiceModel): readonly Snippet[] {
  const method = plainestRead(model);
  if (method === undefined || method.transport.kind === "flat") return [];
  const payload = jsonText(payloadOf(method, model));
  const name = jsonText(method.name);
  const values = {
    path: methodPath(method, model),
    methodInShell: shellWord(name),
    payloadInShell: shellWord(payload),
    method: name,
    methodInJava: quoted(name),
    payload: quoted(payload),
    revision: model.revision,
    ...idsOf(model, method),
  };
  return languages
    .filter(({ id }) => id !== "go" || requestIdOf(model, method) === undefined)
    .map(({ id, language, file, command }) => ({
      id,
      language,
      command,
      text: fillTemplate(`reference/snippets/${file}`, values),
    }));
}

/** Programs that receive notifications and verify them; none where events come over a connection of the caller's. */
export function receiversOf({ wire }: ServiceModel): readonly Snippet[] {
  if (wire.protocol === "json-rpc-2.0") return [];
  return [
    { id: "typescript", language: "TypeScript", file: "receive.ts", command: "node receive.ts" },
    { id: "python", language: "Python", file: "receive.py", command: "python3 receive.py" },
  ].map(({ file, ...receiver }) => ({ ...receiver, text: fillTemplate(`reference/snippets/${file}`, {}) }));
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

/** The read with the smallest payload, of those that are signed in an envelope. */
function plainestRead(model: ServiceModel): MethodModel | undefined {
  const [plainest] = model.methods
    .filter(({ transport }) => transport.kind === "enveloped" && provesKey(transport))
    .map((method) => {
      const { length } = JSON.stringify(payloadOf(method, model));
      return { method, weight: (method.effect === "read" ? 0 : 1e6) + length };
    })
    .toSorted((a, b) => a.weight - b.weight);
  return plainest?.method;
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
