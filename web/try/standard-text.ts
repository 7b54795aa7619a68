import type { Credentials } from "./credentials.ts";
import type { Described } from "./described.ts";
import type { SentRequest } from "./recorder.ts";
import { httpText, quoted } from "./request-text.ts";
import { kindOf } from "./scheme-kinds.ts";
import type { Attempt, TriedCall } from "./tried.ts";

/** A request to a standard interface, as it was made. */
export interface MadeRequest {
  readonly described: Described;
  readonly credentials: Credentials;
  readonly calls: readonly TriedCall[];
  readonly sent: SentRequest;
}

/** The request as HTTP, as a program of a shell, and as one of the generated client. No program holds a secret. */
export function standardTexts(made: MadeRequest): Attempt["texts"] {
  return [
    ["The exact request", httpText(made.sent)],
    ["curl", curlText(made)],
    ["TypeScript, with the generated client", clientText(made)],
  ];
}

/** The alternative that the client uses: of those of a method the first that the credentials fit. */
export function alternativeOf(
  name: string,
  { described, credentials }: Pick<MadeRequest, "described" | "credentials">,
): readonly string[] | undefined {
  const alternatives = described.methods.find((method) => method.name === name)?.alternatives ?? [];
  if (alternatives.length === 0) return [];
  return alternatives
    .map((each) => Object.keys(each))
    .find((schemes) => schemes.every((scheme) => Object.hasOwn(credentials.auth, scheme)));
}

function usedSchemes(made: MadeRequest): readonly string[] {
  return [...new Set(made.calls.flatMap(({ operation }) => alternativeOf(operation.name, made) ?? []))];
}

function curlText(made: MadeRequest): string {
  const { described, credentials, sent } = made;
  const parts = usedSchemes(made).flatMap((name) => {
    const scheme = described.schemes[name];
    return scheme === undefined ? [] : [kindOf(scheme).shell(scheme, credentials.shown[name] ?? {}, sent)];
  });
  const options = ["-H 'Content-Type: application/json'", ...parts.flatMap((part) => part.options)];
  return [
    `body=${quoted(sent.body)}`,
    ...parts.flatMap((part) => part.before),
    `curl -s ${quoted(sent.url)} \\`,
    ...options.map((option) => `  ${option} \\`),
    `  -d "$body"`,
  ].join("\n");
}

function clientText(made: MadeRequest): string {
  const { described, sent, calls } = made;
  const auth = usedSchemes(made).map((name) => `    ${key(name)}: ${programText(name, made)},\n`);
  const options = auth.length === 0 ? "" : `\n  auth: {\n${auth.join("")}  },`;
  const { factory, package: from } = described.client;
  return `import { ${factory} } from ${JSON.stringify(from)};

const client = ${factory}({
  url: ${JSON.stringify(sent.url)},${options}
});
${callText(calls)}
`;
}

function callText(calls: readonly TriedCall[]): string {
  const [first] = calls;
  if (first === undefined) return "";
  if (calls.length > 1) {
    const entries = calls.map(
      ({ operation, payload, isNotification }) =>
        `  { ${isNotification ? "notify" : "call"}: ${JSON.stringify(operation.name)}, payload: ${JSON.stringify(payload)} },\n`,
    );
    return `const outcomes = await client.batch([\n${entries.join("")}]);\nconsole.log(outcomes);`;
  }
  const given = `${JSON.stringify(first.operation.name)}, ${JSON.stringify(first.payload, undefined, 2)}`;
  return first.isNotification
    ? `await client.notify(${given});`
    : `console.log(await client.call(${given}));`;
}

/** A credential as the program takes it from its environment. */
function programText(name: string, { described, credentials }: MadeRequest): string {
  const scheme = described.schemes[name];
  return scheme === undefined ? "{}" : kindOf(scheme).program(credentials.shown[name] ?? {});
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
