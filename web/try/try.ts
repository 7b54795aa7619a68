import { el, elementOf, show, skipToContent, type Child } from "../shared/dom.ts";
import { createForm } from "../shared/form.ts";
import { messageOf, type JsonObject } from "../shared/json.ts";
import { startTheme } from "../shared/theme.ts";
import { showProblems } from "../shared/validator.ts";
import { actions, copyButton, notice, prose } from "../shared/view.ts";
import { answerView } from "./answer.ts";
import { createBatch, type Batch } from "./batch.ts";
import {
  ending,
  placeOf,
  type CallsModule,
  type Attempt,
  type Caller,
  type TriedCall,
  type TriedInterface,
  type TriedOperation,
} from "./tried.ts";

/** Calls the operations of an interface from the browser: form, credentials, exact request, answer. */

const main = elementOf("main");
/** Where the stylesheet has one column: the operations are folded, so that the form is what a reader sees. */
const narrow = matchMedia("(width < 48rem)");
startTheme();
// Within an operation of the reference, which says what it is and leads to the others.
document.documentElement.classList.toggle("framed", window.parent !== window);

loadInterface().then(start, (error: unknown) =>
  show(main, notice("error", `The interface cannot be loaded: ${messageOf(error)}`)),
);

/** The document names the module beside this one that calls the interface. */
async function loadInterface(): Promise<TriedInterface> {
  const { calls = "" } = document.documentElement.dataset;
  const module: CallsModule = await import(new URL(`${calls}.${ending}`, import.meta.url).href);
  return await module.load(placeOf(location));
}

function start(tried: TriedInterface): void {
  show(elementOf("title"), `Try it: ${tried.title}`);
  document.title = `Try it · ${tried.title}`;
  let caller: Caller | undefined;
  skipToContent();
  const batch = createBatch(tried.batchMax);
  const go = (): void => {
    const name = hashText();
    const operation = tried.operations.find((each) => each.name === name || each.type === name);
    showNavigation(tried, operation);
    if (caller === undefined) return showSignIn();
    if (operation === undefined) show(main, el("h1", {}, "Choose an operation"));
    else {
      showOperation({ tried, operation, caller, batch }).catch((error: unknown) =>
        show(main, notice("error", `${operation.name} cannot be shown: ${messageOf(error)}`)),
      );
    }
  };
  const showSignIn = (): void => {
    const asked = tried.signIn((known) => {
      caller = known;
      if (known.name !== "") showWho(known);
      go();
      main.focus();
    });
    if (caller === undefined) show(main, el("h1", {}, "Who calls"), asked);
  };
  addEventListener("hashchange", () => {
    go();
    main.focus();
  });
  narrow.addEventListener("change", () => {
    const menu = document.querySelector("details.menu");
    if (menu instanceof HTMLDetailsElement) menu.open = !narrow.matches;
  });
  go();
}

function hashText(): string {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function showWho({ name, forget: words, forgotten }: Caller): void {
  const leave = async (): Promise<void> => {
    await forgotten?.();
    location.reload();
  };
  const forget = el("button", { type: "button", onclick: () => void leave() }, words);
  show(elementOf("who"), name, " ", forget);
}

function showNavigation({ operations }: TriedInterface, current: TriedOperation | undefined): void {
  const links = operations.map((each) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `#${encodeURIComponent(each.name)}`, "aria-current": each === current ? "page" : undefined },
        breakable(each.name.split(".").at(-1) ?? each.name),
      ),
    ),
  );
  const isOpen = !narrow.matches || current === undefined;
  const menu = el(
    "details",
    { class: "menu", open: isOpen },
    el("summary", {}, "Operations"),
    el("ul", {}, links),
  );
  show(elementOf("operations"), menu);
}

interface OperationPage {
  readonly tried: TriedInterface;
  readonly operation: TriedOperation;
  readonly caller: Caller;
  readonly batch: Batch;
}

async function showOperation({ tried, operation, caller, batch }: OperationPage): Promise<void> {
  const outcome = el("div", { "aria-live": "polite" });
  const shownAt = location.hash;
  const editor = await createEditor(tried, operation);
  // The reader may have gone on to another one.
  if (location.hash !== shownAt) return;
  const send = async (calls: readonly TriedCall[], isSent: boolean): Promise<void> => {
    try {
      const attempt = await caller.call(calls, { isSent });
      show(outcome, await attemptView(tried, attempt, isSent));
    } catch (error) {
      show(outcome, notice("error", messageOf(error)));
    }
  };
  const withCall = (isNotification: boolean, then: (call: TriedCall) => void): void => {
    const payload = editor.read();
    if (payload !== undefined) then({ operation, payload, isNotification });
  };
  const sending = (isNotification: boolean) => () =>
    withCall(isNotification, (call) => void send([call], true));
  const isOnly = operation.notify === "only";
  const { isSigned } = tried;
  const shown = (): void => withCall(isOnly, (call) => void send([call], false));
  const element = el(
    "form",
    { novalidate: true },
    editor.element,
    actions(
      el("button", { type: "submit", class: "primary" }, isSigned ? "Sign and send" : "Send"),
      el("button", { type: "button", onclick: shown }, isSigned ? "Sign and show" : "Show the request"),
      operation.notify === "allowed"
        ? el("button", { type: "button", onclick: sending(true) }, "Send as a notification")
        : undefined,
      batch.addButton((add) => withCall(isOnly, add)),
    ),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(isOnly)();
  });
  show(
    main,
    el("h1", {}, breakable(operation.name)),
    operation.doc === "" ? undefined : el("p", {}, prose(operation.doc)),
    factsOf(operation),
    editor.examples,
    element,
    batch.view((calls, isSent) => void send(calls, isSent)),
    outcome,
  );
}

/** A name that a narrow screen breaks after a dot or before a capital. */
function breakable(name: string): Child {
  const [first, ...others] = name.split(/(?<=\.)|(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  return [first, others.map((part) => [el("wbr"), part])];
}

function factsOf({ security, notify }: TriedOperation): Child {
  const notification = notify === "only" ? " It is a notification: nothing is answered." : "";
  const text = `${security === "" ? "" : `Authentication: ${security}`}${notification}`.trim();
  return text === "" ? undefined : el("p", { class: "hint" }, text);
}

/** The form of a payload. */
interface Editor {
  readonly element: Child;
  readonly examples: Child;
  /** The payload that is filled in; undefined where it does not fit, which the form then shows. */
  read(): JsonObject | undefined;
}

async function createEditor(tried: TriedInterface, operation: TriedOperation): Promise<Editor> {
  const validate = await tried.validator(operation, "payload");
  const place = el("div");
  const problems = el("div");
  const schema = tried.schema.of(`${operation.type}Payload`);
  let form = createForm({ document: tried.schema, schema });
  let wasTried = false;

  function begin(initial: JsonObject): void {
    form = createForm({ document: tried.schema, schema, initial, onInput: () => wasTried && check() });
    show(place, form.element);
  }

  function check(): boolean {
    wasTried = true;
    const payload = form.read();
    const unreadable = form.unreadable();
    const errors = [...unreadable, ...validate(payload)];
    showProblems(form, problems, errors);
    return errors.length === 0;
  }

  begin({});
  const examples = operation.examples.map(({ name, payload }) =>
    el("button", { type: "button", class: "small", onclick: () => begin(payload) }, name),
  );
  return {
    element: [place, problems],
    examples: examples.length === 0 ? undefined : actions("Begin with: ", examples),
    read() {
      if (check()) return form.read();
      place.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return undefined;
    },
  };
}

async function attemptView(tried: TriedInterface, attempt: Attempt, isSent: boolean): Promise<Child> {
  const { answered, failure, texts } = attempt;
  if (texts.length === 0) return notice("error", failure);
  const answer =
    answered === undefined ? isSent && notice("error", failure) : await answerView(tried, attempt, answered);
  return [answer === false ? undefined : answer, requestView(texts)];
}

function requestView(texts: Attempt["texts"]): Child {
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
