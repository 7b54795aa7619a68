import type * as Batching from "../../templates/client/json-rpc/batch.ts";
import type * as Connecting from "../../templates/client/json-rpc/connection.ts";
import type * as Calling from "../../templates/client/json-rpc/operation.ts";
import { isObject, messageOf } from "../shared/json.ts";
import { loadSchema, type SchemaDocument } from "../shared/schema.ts";
import { credentialsView } from "./credentials-view.ts";
import type { Credentials } from "./credentials.ts";
import {
  type AnswerMembers,
  type Described,
  type Attempt,
  type Outcome,
  type TriedCall,
  type TriedInterface,
  outcomeOf,
  ending,
  functionsIn,
  validatorsIn,
  type Place,
} from "./tried.ts";
import { createRecorder, type SentRequest, httpText, quoted } from "./request-text.ts";
import { kindOf } from "./scheme-kinds.ts";

/** The parts of a generated client that this page uses: they are the same for every standard interface. */
type ClientModule = Pick<typeof Connecting, "connect"> &
  Pick<typeof Calling, "ask" | "notify"> &
  Pick<typeof Batching, "batch"> & { readonly schemes: Parameters<typeof Connecting.connect>[1] };

type Method = Calling.Operation<object, unknown>["method"];

interface Standard {
  readonly described: Described;
  readonly client: ClientModule;
  readonly methods: ReadonlyMap<string, Method>;
}

/** Loads an interface of standard JSON-RPC 2.0. */
export async function load({ folder }: Place): Promise<TriedInterface> {
  const [described, schema, connection, { schemes }, operations]: [
    Described,
    SchemaDocument,
    Omit<ClientModule, "schemes">,
    Pick<ClientModule, "schemes">,
    unknown,
  ] = await Promise.all([
    fetch(new URL("try.json", folder)).then((response) => response.json()),
    loadSchema(new URL("json-schema.json", folder)),
    import(new URL(`client/connection.${ending}`, folder).href),
    import(new URL(`client/client.${ending}`, folder).href),
    import(new URL(`client/operations.${ending}`, folder).href),
  ]);
  const client = { ...connection, schemes };
  const standard = { described, client, methods: methodsIn(operations) };
  return {
    title: described.title,
    schema,
    isSigned: false,
    batchMax: described.batchMax,
    operations: described.methods.map((method) => ({ ...method, errors: new Map(method.errors) })),
    validator: validatorsIn(folder),
    signIn: (ready) =>
      credentialsView(described, (credentials) =>
        ready({
          name: credentials.name,
          forget: "Change the credentials",
          call: (calls, { isSent }) => attempt(standard, credentials, calls, isSent),
        }),
      ),
  };
}

function methodsIn(operations: unknown): ReadonlyMap<string, Method> {
  const found = functionsIn(operations).filter((each) => isOperation(each));
  return new Map(found.map(({ method }) => [method.name, method]));
}

function isOperation(value: unknown): value is Calling.Operation<object, unknown> {
  return typeof value === "function" && "method" in value;
}

async function attempt(
  { described, client, methods }: Standard,
  credentials: Credentials,
  calls: readonly TriedCall[],
  isSent: boolean,
): Promise<Attempt> {
  const recorder = createRecorder(isSent);
  let failure = missingFor({ described, credentials, calls });
  try {
    if (failure !== "") throw new Error(failure);
    const connection = client.connect(
      {
        url: new URL(described.path, location.origin).href,
        auth: credentials.auth,
        fetch: recorder.fetch,
        attemptsMax: 1,
      },
      client.schemes,
    );
    await send(
      client,
      connection,
      calls.map((call) => ({ call, method: methodOf(methods, call) })),
    );
  } catch (error) {
    failure = messageOf(error);
  }
  const sent = recorder.sent();
  return {
    answered: recorder.answered(),
    failure,
    outcomes: (value) => outcomesOf(calls, value, described.members),
    texts: sent === undefined ? [] : standardTexts({ described, credentials, calls, sent }),
  };
}

/** In words, what a call asks for and there is not; empty where there is nothing. */
function missingFor(made: Omit<MadeRequest, "sent">): string {
  const asking = made.calls.find(({ operation }) => alternativeOf(operation.name, made) === undefined);
  if (asking === undefined) return "";
  const method = made.described.methods.find(({ name }) => name === asking.operation.name);
  const wanted = (method?.alternatives ?? []).map((each) => Object.keys(each).join(" with ")).join(", or ");
  return `It asks for ${wanted}, and there are no credentials for it. “Change the credentials” takes them.`;
}

function methodOf(methods: ReadonlyMap<string, Method>, { operation }: TriedCall): Method {
  const method = methods.get(operation.name);
  if (method === undefined) throw new Error(`the client has no method ${operation.name}`);
  return method;
}

/** One call as itself, several as a batch. */
async function send(
  client: ClientModule,
  connection: Connecting.Connection,
  calls: readonly { readonly call: TriedCall; readonly method: Method }[],
): Promise<void> {
  const [first] = calls;
  if (first === undefined) throw new Error("there is nothing to call");
  const { call, method } = first;
  if (calls.length > 1) {
    const entries = calls.map((each) => ({
      method: each.method,
      payload: each.call.payload,
      isNotification: each.call.isNotification,
    }));
    await client.batch(connection, entries);
  } else if (call.isNotification) await client.notify(connection, method, call.payload);
  else await client.ask(connection, method, call.payload);
}

/** The client numbers the calls that are answered: 1, 2 … */
function outcomesOf(calls: readonly TriedCall[], value: unknown, members: AnswerMembers): readonly Outcome[] {
  const answers: readonly unknown[] = Array.isArray(value) ? value : [value];
  const answered = calls.filter(({ isNotification }) => !isNotification);
  return answered.map(({ operation }, index) => {
    const own =
      answers.find((each) => isObject(each) && each[members.id] === index + 1) ??
      answers.find((each) => isObject(each) && each[members.id] === null);
    return outcomeOf(operation, own, members);
  });
}

/** A request to a standard interface, as it was made. */
interface MadeRequest {
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
function alternativeOf(
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
