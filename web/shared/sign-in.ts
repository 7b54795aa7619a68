import { readAccessFile, type AccessFile } from "./access-file.ts";
import { el, newId, show } from "./dom.ts";
import { failureText, signInText } from "./failure.ts";
import { keyFromPem, type PageKey } from "./key.ts";
import { actions, notice } from "./view.ts";

/** Who calls. */
export interface Caller {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKey: PageKey;
}

export interface SignInOptions {
  /** The member of an access file that holds the caller; the file itself if absent. */
  readonly accessMember?: string;
  /** A key that the page made: then none has to be pasted. */
  readonly ownKey?: () => PageKey | undefined;
  /** Rejects where the service does not take the caller. */
  readonly signIn: (caller: Caller) => Promise<void>;
}

/** A form that takes a credential and a private key, or an access file with all of it. */
// oxlint-disable-next-line max-lines-per-function -- the parts of one form share its fields
export function signInForm({ accessMember, ownKey, signIn }: SignInOptions): HTMLElement {
  const outcome = el("div");
  const userName = textInput("User name");
  const apiKey = textInput("API key", "password");
  const keyId = textInput("Key identifier");
  const pemId = newId("pem");
  const pem = el("textarea", { id: pemId, rows: 6, spellcheck: "false", autocomplete: "off" });
  const file = el("input", { type: "file", id: newId("file"), accept: ".pem,.key,.json,.yaml,.yml" });
  const submit = el("button", { type: "submit", class: "primary" }, "Sign in");

  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    void take(chosen);
  });

  /** Fills the fields from a file. Until they are filled, the form cannot be sent. */
  async function take(chosen: File): Promise<void> {
    show(outcome);
    submit.disabled = true;
    try {
      fillFrom(readAccessFile(await chosen.text(), accessMember));
    } catch (error) {
      show(outcome, notice("error", failureText(error)));
    }
    submit.disabled = false;
  }

  function fillFrom(access: AccessFile): void {
    if (access.kind === "neither") return show(outcome, notice("error", access.message));
    pem.value = access.pem;
    if (access.kind === "key") return;
    userName.input.value = access.userName;
    apiKey.input.value = access.apiKey;
    keyId.input.value = access.keyId;
    if (access.pem === "" && access.keyFile !== "")
      show(outcome, notice("hint", `The key is in another file: choose ${access.keyFile} now.`));
  }

  async function submitted(): Promise<void> {
    submit.disabled = true;
    show(outcome);
    try {
      const privateKey = (pem.value === "" ? ownKey?.() : undefined) ?? (await keyFromPem(pem.value));
      await signIn({
        userName: userName.input.value,
        apiKey: apiKey.input.value,
        keyId: keyId.input.value,
        privateKey,
      });
      pem.value = "";
    } catch (error) {
      show(outcome, notice("error", signInText(error)));
      submit.disabled = false;
      submit.focus();
    }
  }

  const form = el(
    "form",
    { class: "sign-in" },
    el(
      "p",
      { class: "hint" },
      "Requests are signed in this page. The key is never sent. The browser keeps it over a reload, as one that no script can read, until you sign out or close the tab.",
    ),
    el(
      "div",
      { class: "field" },
      el("label", { for: file.id }, "Access file or PEM"),
      file,
      el(
        "p",
        { class: "hint" },
        "Fills the fields below: access.json of a sandbox, what the command printed that added you, or a key alone.",
      ),
    ),
    userName.element,
    apiKey.element,
    keyId.element,
    el("div", { class: "field" }, el("label", { for: pemId }, "Private key (PEM)"), pem),
    outcome,
    actions(submit),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submitted();
  });
  return form;
}

function textInput(label: string, type = "text") {
  const id = newId("input");
  const input = el("input", { id, type, autocomplete: "off", spellcheck: "false", required: true });
  return { input, element: el("div", { class: "field" }, el("label", { for: id }, label), input) };
}
