import type * as Batching from "../../templates/client/json-rpc/batch.ts";
import type * as Connecting from "../../templates/client/json-rpc/connection.ts";
import type * as Calling from "../../templates/client/json-rpc/operation.ts";
import { isObject, messageOf } from "../shared/json.ts";
import { loadSchema, type SchemaDocument } from "../shared/schema.ts";
import { credentialsView } from "./credentials-view.ts";
import type { Credentials } from "./credentials.ts";
import type { Described } from "./described.ts";
import { outcomeOf } from "./outcome.ts";
import { ending, functionsIn, validatorsIn, type Place } from "./place.ts";
import { createRecorder } from "./recorder.ts";
import { alternativeOf, standardTexts, type MadeRequest } from "./standard-text.ts";
import type { Attempt, Outcome, TriedCall, TriedInterface } from "./tried.ts";

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
    outcomes: (value) => outcomesOf(calls, value),
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
function outcomesOf(calls: readonly TriedCall[], value: unknown): readonly Outcome[] {
  const answers: readonly unknown[] = Array.isArray(value) ? value : [value];
  const answered = calls.filter(({ isNotification }) => !isNotification);
  return answered.map(({ operation }, index) => {
    const own =
      answers.find((each) => isObject(each) && each["id"] === index + 1) ??
      answers.find((each) => isObject(each) && each["id"] === null);
    return outcomeOf(operation, own);
  });
}
