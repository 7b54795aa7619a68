import type * as Client from "../../generated/ledger/client/index.ts";
import { isObject, messageOf, textOf, type JsonObject } from "../shared/json.ts";
import { keptCaller, type KeptCaller } from "../shared/kept-caller.ts";
import { listOf, loadSchema, type SchemaDocument } from "../shared/schema.ts";
import { type Caller as Signing, signInForm, type Caller } from "../shared/sign-in.ts";
import {
  outcomeOf,
  type Attempt,
  type TriedCall,
  type TriedInterface,
  type TriedOperation,
  ending,
  functionsIn,
  validatorsIn,
  type Place,
} from "./tried.ts";
import { createRecorder, type SentRequest, clientText, curlText, httpText } from "./request-text.ts";
import { el, show, type Child } from "../shared/dom.ts";
import { generateKey } from "../shared/key.ts";
import { actions, copyButton, notice } from "../shared/view.ts";

/** The parts of a generated client that this page uses: it is the same for every signed interface. */
export type ClientModule = Pick<typeof Client, "connect" | "messageSignatures">;
type Operation = typeof Client.getAccount;
type Functions = ReadonlyMap<string, Operation>;

/** Loads an interface of the signed envelope. */
export async function load({ name, folder }: Place): Promise<TriedInterface> {
  const [document, schema, connection, messages, operations]: [
    unknown,
    SchemaDocument,
    Pick<ClientModule, "connect">,
    Pick<ClientModule, "messageSignatures">,
    unknown,
  ] = await Promise.all([
    fetch(new URL("openrpc.json", folder)).then((response) => response.json()),
    loadSchema(new URL("json-schema.json", folder)),
    import(new URL(`client/connection.${ending}`, folder).href),
    import(new URL(`client/message-signatures.${ending}`, folder).href),
    import(new URL(`client/operations.${ending}`, folder).href),
  ]);
  const client = { ...connection, ...messages };
  const kept = keptCaller(`try/${name}`);
  let signsMessages = false;
  const described = isObject(document) ? document : {};
  const info = isObject(described["info"]) ? described["info"] : {};
  const functions: Functions = new Map(
    functionsIn(operations)
      .filter((each) => isOperation(each))
      .map((operation) => [operation.method.name, operation]),
  );
  return {
    title: textOf(info["title"]),
    schema,
    operations: listOf(described["methods"]).flatMap((method) =>
      isObject(method) ? triedOperation(method, functions) : [],
    ),
    isSigned: true,
    batchMax: 0,
    validator: validatorsIn(folder),
    signIn: (ready) =>
      signInView(name, kept, (signing) =>
        ready({
          name: signing.userName,
          forget: "Forget the key",
          forgotten: () => kept.forget(),
          async call([call], { isSent }) {
            const operation = functions.get(call?.operation.name ?? "");
            if (call === undefined || operation === undefined) throw new Error("there is nothing to call");
            const one = { name, call, operation, client };
            const tried = await attempt(one, signing, { isSent, signsMessages });
            if (signsMessages || !asksForMessageSignature(tried)) return tried;
            signsMessages = true;
            return await attempt(one, signing, { isSent, signsMessages });
          },
        }),
      ),
  };
}

function isOperation(value: unknown): value is Operation {
  return typeof value === "function" && "method" in value;
}

function triedOperation(method: JsonObject, functions: Functions): readonly TriedOperation[] {
  const name = textOf(method["name"]);
  const operation = functions.get(name);
  if (operation === undefined) return [];
  const codes = listOf(method["errors"]).map((error) => codeOf(isObject(error) ? error : {}));
  return [
    {
      name,
      doc: textOf(method["description"]),
      type: textOf(method["x-name"]) || (name.split(".").at(-1) ?? name),
      examples: listOf(method["examples"]).map((example) =>
        exampleOf(isObject(example) ? example : {}, isFlat(operation)),
      ),
      errors: new Map(codes.map((code) => [code, ""])),
      notify: "never",
      security: "",
    },
  ];
}

/** Whether the body is the payload, and the answer the result. */
function isFlat({ method }: Operation): boolean {
  return method.transport.signsOnce === true;
}

/** The payload of an example: of a flat body each field is a parameter. */
function exampleOf(example: JsonObject, flat: boolean): TriedOperation["examples"][number] {
  const params = listOf(example["params"]).filter((each) => isObject(each));
  const payload = flat
    ? Object.fromEntries(params.map((each) => [textOf(each["name"]), each["value"]]))
    : params.find((each) => each["name"] === "payload")?.["value"];
  return { name: textOf(example["name"]), payload: isObject(payload) ? payload : {} };
}

function codeOf(error: JsonObject): string {
  if (isObject(error["data"])) return textOf(error["data"]["code"]);
  return textOf(error["$ref"]).split("/").at(-1) ?? "";
}

interface OneCall {
  /** Path of the interface. */
  readonly name: string;
  readonly call: TriedCall;
  readonly operation: Operation;
  readonly client: ClientModule;
}

/** Whether the service takes no message without a signature of its own. */
function asksForMessageSignature({ answered }: Attempt): boolean {
  return answered !== undefined && /"reason":\s*"message-signature"/.test(answered.text);
}

async function attempt(
  { name, call, operation, client }: OneCall,
  signing: Signing,
  { isSent, signsMessages }: { readonly isSent: boolean; readonly signsMessages: boolean },
): Promise<Attempt> {
  const recorder = createRecorder(isSent);
  const { userName, apiKey, keyId, privateKey } = signing;
  let failure = "";
  try {
    const signer = { keyId, privateKey };
    const connection = client.connect({
      baseUrl: location.origin,
      credential: { userName, apiKey },
      signer,
      fetch: signsMessages ? client.messageSignatures(signer, recorder.fetch) : recorder.fetch,
    });
    await Reflect.apply(operation, undefined, [connection, call.payload, { attemptsMax: 1 }]);
  } catch (error) {
    failure = messageOf(error);
  }
  const sent = recorder.sent();
  return {
    answered: recorder.answered(),
    failure,
    outcomes: (value) => [
      outcomeOf(call.operation, value, { result: "result", error: "error" }, isFlat(operation)),
    ],
    texts: sent === undefined ? [] : requestTexts(name, { call, sent, signing, flat: isFlat(operation) }),
  };
}

interface Shown {
  readonly call: TriedCall;
  readonly sent: SentRequest;
  readonly signing: Signing;
  readonly flat: boolean;
}

function requestTexts(name: string, { call, sent, signing, flat }: Shown): Attempt["texts"] {
  const found = /"signature":"([^"]+)"|signature=([^,]+)$/.exec(
    `${sent.body}\n${sent.headers["signature"] ?? ""}`,
  );
  const signed = { ...signing, payload: JSON.stringify(call.payload) };
  const operation = { name: call.operation.name, isFlat: flat };
  return [
    ["Signed bytes", signed.payload],
    ["Signature (base64, ECDSA P-256, SHA-256)", found?.[1] ?? found?.[2] ?? ""],
    ["The exact request", httpText(sent)],
    ["curl and openssl", curlText(operation, sent, signed)],
    ["TypeScript, with the generated client", clientText(name, operation, sent, signed)],
  ];
}

/** Asks who signs the envelope, unless that was said before a reload; the page makes a key for who has none. */
function signInView(interfaceName: string, kept: KeptCaller, signIn: (caller: Caller) => void): Child {
  void kept.recall().then((caller) => caller !== undefined && signIn(caller));
  const pem = el("div");
  let generated: Caller["privateKey"] | undefined;
  const generate = async (): Promise<void> => {
    const { publicPem, privateKey } = await generateKey();
    generated = privateKey;
    show(
      pem,
      notice(
        "hint",
        "Give this public key to the operator, or register it; then type the identifier that it got.",
      ),
      el("pre", { tabindex: "0" }, publicPem),
      copyButton(publicPem),
    );
  };
  return [
    signInForm({
      ...(interfaceName === "operator" && { accessMember: "operator" }),
      ownKey: () => generated,
      signIn: async (caller) => {
        await kept.keep(caller);
        signIn(caller);
      },
    }),
    el("h2", {}, "No key yet?"),
    actions(el("button", { type: "button", onclick: () => void generate() }, "Make a key pair here")),
    pem,
  ];
}
