/** Calls the operations of an interface from the browser: form, signature, exact request, answer. */
import { el, elementOf, show, type Child } from "../shared/dom.ts";
import { createForm } from "../shared/form.ts";
import { isObject, messageOf, textOf, type JsonObject } from "../shared/json.ts";
import { generateKey } from "../shared/key.ts";
import { fieldsOf } from "../shared/schema.ts";
import { signInForm, type Caller } from "../shared/sign-in.ts";
import { showProblems } from "../shared/validator.ts";
import { badge, copyButton, notice } from "../shared/view.ts";
import { loadInterface, type TriedInterface, type TriedOperation } from "./interface.ts";
import { clientText, curlText, httpText, type SentRequest } from "./request-text.ts";

const main = elementOf("main");
let caller: Caller | undefined;

loadInterface().then(start, (error: unknown) =>
  show(main, notice("error", `The interface cannot be loaded: ${messageOf(error)}`)),
);

function start(tried: TriedInterface): void {
  show(elementOf("title"), `Try it: ${tried.title}`);
  document.title = `Try it · ${tried.title}`;
  const go = (): void => {
    const name = decodeURIComponent(location.hash.slice(1));
    const operation = tried.operations.find((each) => each.name === name || each.type === name);
    showNavigation(tried, operation);
    if (caller === undefined) showSignIn(tried, go);
    else if (operation === undefined) show(main, el("h1", {}, "Choose an operation"));
    else void showOperation(tried, operation, caller);
  };
  addEventListener("hashchange", () => {
    go();
    main.focus();
  });
  go();
}

function showNavigation({ operations }: TriedInterface, current: TriedOperation | undefined): void {
  const links = operations.map((each) =>
    el(
      "li",
      {},
      el("a", { href: `#${each.name}`, "aria-current": each === current ? "page" : undefined }, each.type),
    ),
  );
  show(elementOf("operations"), el("ul", {}, links));
}

function showSignIn(tried: TriedInterface, go: () => void): void {
  const pem = el("div");
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
    );
  };
  show(
    main,
    el("h1", {}, "Who calls"),
    signInForm({
      ...(tried.name === "operator" && { accessMember: "operator" }),
      ownKey: () => generated,
      signIn: async (signedIn) => {
        caller = signedIn;
        show(
          elementOf("who"),
          signedIn.userName,
          " ",
          el("button", { type: "button", onclick: () => location.reload() }, "Forget the key"),
        );
        go();
      },
    }),
    el("h2", {}, "No key yet?"),
    el(
      "p",
      { class: "actions" },
      el("button", { type: "button", onclick: () => void generate() }, "Make a key pair here"),
    ),
    pem,
  );
}

let generated: Caller["privateKey"] | undefined;

async function showOperation(tried: TriedInterface, operation: TriedOperation, who: Caller): Promise<void> {
  const validate = await tried.validator(operation, "payload");
  const outcome = el("div", { "aria-live": "polite" });
  const formPlace = el("div");
  const problems = el("div");
  const schema = tried.schema.of(`${operation.type}Payload`);
  let form = createForm({ document: tried.schema, schema });
  let wasTried = false;

  function begin(initial: JsonObject): void {
    form = createForm({ document: tried.schema, schema, initial, onInput: () => wasTried && check() });
    show(formPlace, form.element);
  }

  function check(): boolean {
    wasTried = true;
    const errors = validate(form.read());
    showProblems(form, problems, errors);
    return errors.length === 0;
  }

  async function run(isSent: boolean): Promise<void> {
    if (!check()) return formPlace.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    const shown = await attempt(tried, operation, who, form.read(), isSent);
    show(outcome, shown);
  }

  const examples = operation.examples.map(({ name, payload }) =>
    el("button", { type: "button", class: "small", onclick: () => begin(payload) }, name),
  );
  const element = el(
    "form",
    { novalidate: true },
    formPlace,
    problems,
    el(
      "p",
      { class: "actions" },
      el("button", { type: "submit", class: "primary" }, "Sign and send"),
      el("button", { type: "button", onclick: () => void run(false) }, "Sign and show"),
    ),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void run(true);
  });
  begin({});
  show(
    main,
    headingOf(operation),
    el("p", {}, operation.doc),
    examples.length === 0 ? undefined : el("p", { class: "actions" }, "Begin with: ", examples),
    element,
    outcome,
  );
}

/** The operation's name, which a narrow screen breaks after a dot. */
function headingOf({ name }: TriedOperation): Child {
  const parts = name.split(/(?<=\.)/).map((part) => [part, el("wbr")]);
  return el("h1", {}, parts);
}

/** The answer; undefined where the request was not sent. */
interface Answered {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

async function attempt(
  tried: TriedInterface,
  operation: TriedOperation,
  who: Caller,
  payload: JsonObject,
  isSent: boolean,
): Promise<Child> {
  let sent: SentRequest | undefined;
  let answered: Answered | undefined;
  const connection = tried.connect({
    baseUrl: location.origin,
    credential: { userName: who.userName, apiKey: who.apiKey },
    signer: { keyId: who.keyId, privateKey: who.privateKey },
    fetch: async (url, init) => {
      sent = { url, headers: Object.fromEntries(new Headers(init.headers)), body: textOf(init.body) };
      if (!isSent) throw new Error("the request was only shown");
      const startedAt = performance.now();
      const response = await fetch(url, init);
      const text = await response.text();
      answered = { status: response.status, text, milliseconds: performance.now() - startedAt };
      return new Response(text, { status: response.status, headers: response.headers });
    },
  });
  let failure: unknown;
  try {
    await operation.call(connection, payload, { attemptsMax: 1 });
  } catch (error) {
    failure = error;
  }
  if (sent === undefined) return notice("error", messageOf(failure));
  const parts: Child[] = [];
  if (answered !== undefined) parts.push(await answerView(tried, operation, answered));
  else if (isSent) parts.push(notice("error", messageOf(failure)));
  return [parts, requestView(tried, operation, sent, { ...who, payload: JSON.stringify(payload) })];
}

async function answerView(
  tried: TriedInterface,
  operation: TriedOperation,
  { status, text, milliseconds }: Answered,
): Promise<Child> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [
      el("h2", {}, "Answer"),
      notice("error", "The answer is not JSON."),
      el("pre", { tabindex: "0" }, text),
    ];
  }
  const error = isObject(value) && isObject(value["error"]) ? value["error"] : undefined;
  const heading = el(
    "h2",
    {},
    "Answer ",
    badge(error === undefined ? "OK" : textOf(error["code"]) || "error"),
  );
  const facts = el("p", { class: "hint" }, `HTTP ${status}, after ${milliseconds.toFixed(0)} ms`);
  const body = el("pre", { tabindex: "0" }, JSON.stringify(value, undefined, 2));
  return [
    heading,
    facts,
    await verdict(tried, operation, value, error),
    body,
    resultFields(tried, operation),
  ];
}

/** Whether the answer is as the contract says. */
async function verdict(
  tried: TriedInterface,
  operation: TriedOperation,
  value: unknown,
  error: JsonObject | undefined,
): Promise<Child> {
  if (error !== undefined) {
    const code = textOf(error["code"]);
    if (!operation.codes.includes(code))
      return notice("error", `The contract does not give ${code} to this operation.`);
    const field = isObject(error["data"]) ? textOf(error["data"]["field"]) : "";
    return notice("hint", textOf(error["message"]), field === "" ? undefined : ` At ${field}.`);
  }
  const result = operation.isFlat || !isObject(value) ? value : value["result"];
  const errors = (await tried.validator(operation, "result"))(result);
  if (errors.length === 0) return notice("done", "The answer is as the contract says.");
  return notice(
    "error",
    "The answer is not as the contract says: ",
    errors.map(({ pointer, text }) => `${pointer} ${text}. `),
  );
}

function resultFields({ schema }: TriedInterface, operation: TriedOperation): Child {
  const fields = fieldsOf(schema, schema.of(`${operation.type}Result`), {});
  if (fields.length === 0) return undefined;
  const list = fields.map(({ name, doc }) => [el("dt", {}, el("code", {}, name)), el("dd", {}, doc)]);
  return el("details", {}, el("summary", {}, "Fields of the answer"), el("dl", {}, list));
}

function requestView(
  tried: TriedInterface,
  operation: TriedOperation,
  sent: SentRequest,
  signed: Parameters<typeof curlText>[2],
): Child {
  const signature = /"signature":"([^"]+)"|signature=([^,]+)$/.exec(
    `${sent.body}\n${sent.headers["signature"] ?? ""}`,
  );
  const texts: readonly (readonly [string, string])[] = [
    ["Signed bytes", signed.payload],
    ["Signature (base64, ECDSA P-256, SHA-256)", signature?.[1] ?? signature?.[2] ?? ""],
    ["The exact request", httpText(sent)],
    ["curl and openssl", curlText(operation, sent, signed)],
    ["TypeScript, with the generated client", clientText(tried.name, operation, sent, signed)],
  ];
  return [
    el("h2", {}, "Request"),
    texts.map(([title, text], index) =>
      el(
        "details",
        { open: index === 0 },
        el("summary", {}, title),
        el("pre", { tabindex: "0" }, text),
        copyButton(text),
      ),
    ),
  ];
}
