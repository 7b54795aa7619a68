import { el, newId, show, type Child } from "../shared/dom.ts";
import { isObject, messageOf, textOf, type JsonObject } from "../shared/json.ts";
import { actions, notice } from "../shared/view.ts";
import { algorithmIn, type CredentialField, type Credentials } from "./credentials.ts";
import { kindOf } from "./scheme-kinds.ts";
import type { Described, DescribedScheme } from "./tried.ts";

/** Asks for credentials, scheme by scheme; where there are no schemes, calls back at once. */
export function credentialsView(described: Described, ready: (credentials: Credentials) => void): Child {
  const schemes = Object.entries(described.schemes);
  if (schemes.length === 0) {
    ready({ name: "", auth: {}, shown: {} });
    return undefined;
  }
  const outcome = el("div");
  const forms = schemes.map(([name, scheme]) => schemeForm(name, scheme, scopesOf(name, described)));
  const element = el(
    "form",
    { class: "sign-in", novalidate: true },
    el(
      "p",
      { class: "hint" },
      "Fill in what you have; each operation says what it asks for. Everything stays in the memory of this page, keys as ones that no script can read, and is gone when the page is closed.",
    ),
    accessField(forms, outcome),
    forms.map((form) => form.element),
    outcome,
    actions(el("button", { type: "submit", class: "primary" }, "Continue")),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    show(outcome);
    credentialsOf(forms).then(ready, (error: unknown) => show(outcome, notice("error", messageOf(error))));
  });
  return element;
}

/** The credentials in the forms, which are then empty. */
async function credentialsOf(forms: readonly SchemeForm[]): Promise<Credentials> {
  const read = await Promise.all(forms.map((form) => form.read()));
  const given = read.filter((each) => each !== undefined);
  for (const form of forms) form.forget();
  return {
    name: given.length === 0 ? "No credentials" : given.map(({ name }) => name).join(", "),
    auth: Object.fromEntries(given.map(({ name, credential }) => [name, credential])),
    shown: Object.fromEntries(given.map(({ name, shown }) => [name, shown])),
  };
}

/** Fills the forms from an access file. */
function accessField(forms: readonly SchemeForm[], outcome: HTMLElement): HTMLElement {
  const file = el("input", { type: "file", id: newId("file"), accept: ".json" });
  const fillFrom = (text: string): void => {
    show(outcome);
    const given = credentialsIn(text);
    if (given === undefined)
      return show(outcome, notice("error", "This file is no access file: it has no member credentials."));
    for (const form of forms) {
      const own = given[form.name];
      if (isObject(own)) form.fill(own);
    }
  };
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) void chosen.text().then(fillFrom);
  });
  return el(
    "div",
    { class: "field" },
    el("label", { for: file.id }, "Access file"),
    file,
    el("p", { class: "hint" }, "Fills the fields below. ledger-rpc mock says where it has written one."),
  );
}

function credentialsIn(text: string): JsonObject | undefined {
  try {
    const access: unknown = JSON.parse(text);
    const credentials = isObject(access) ? access["credentials"] : undefined;
    return isObject(credentials) ? credentials : undefined;
  } catch {
    return undefined;
  }
}

interface SchemeForm {
  readonly name: string;
  readonly element: HTMLElement;
  fill(credential: JsonObject): void;
  /** Rejects where what is filled in is no credential of the kind. */
  read(): Promise<
    | {
        readonly name: string;
        readonly credential: unknown;
        readonly shown: Readonly<Record<string, string>>;
      }
    | undefined
  >;
  /** Empties its fields: what they held is in the page's memory alone. */
  forget(): void;
}

function fieldText(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/** Headers as the form takes them: a line each. */
function linesOf(headers: unknown): string {
  return Object.entries(isObject(headers) ? headers : {})
    .map(([name, value]) => `${name}: ${fieldText(value)}`)
    .join("\n");
}

function schemeForm(name: string, scheme: DescribedScheme, scopes: readonly string[]): SchemeForm {
  const fields = kindOf(scheme)
    .fields(scheme)
    .map((field) => ({ ...field, ...inputOf(field) }));
  const filled = () => Object.fromEntries(fields.map((field) => [field.name, field.read()]));
  const legend = el("legend", {}, name, " ", el("small", {}, scheme.kind));
  return {
    name,
    element: el(
      "fieldset",
      {},
      legend,
      fields.map(({ element }) => element),
    ),
    fill(credential) {
      for (const field of fields) {
        const value = credential[field.name];
        if (value !== undefined) field.write(field.name === "headers" ? linesOf(value) : fieldText(value));
      }
      if (scheme.kind === "jwt" && typeof credential["subject"] === "string")
        fields
          .find((field) => field.name === "claims")
          ?.write(JSON.stringify({ sub: credential["subject"] }));
    },
    async read() {
      const given = filled();
      const problem = (error: unknown) => new Error(`${name}: ${messageOf(error)}`, { cause: error });
      const credential = await kindOf(scheme)
        .credential(scheme, given, scopes)
        .catch((error: unknown) => {
          throw problem(error);
        });
      if (credential === undefined) return undefined;
      const { user = "", keyId = "", claims = "", token = "", headers = "" } = given;
      const names = headers.split("\n").map((line) => textOf(line.split(":")[0]).trim());
      const isMade = scheme.kind === "jwt" && token === "" ? "true" : "";
      const algorithm = algorithmIn(scheme, given);
      const shown = {
        user,
        keyId,
        claims,
        algorithm,
        isMade,
        headers: names.join(" "),
        scopes: scopes.join(" "),
      };
      return { name, credential, shown };
    },
    forget() {
      for (const field of fields) field.write("");
    },
  };
}

function inputOf({ label, input, choices = [], hint }: CredentialField): {
  readonly element: HTMLElement;
  read(): string;
  write(text: string): void;
} {
  const id = newId("credential");
  const note = hint === undefined ? undefined : el("p", { class: "hint", id: `${id}-hint` }, hint);
  const attributes = { id, autocomplete: "off", spellcheck: "false", "aria-describedby": note?.id };
  if (input === "check") {
    const box = el("input", { ...attributes, type: "checkbox" });
    return {
      element: el("div", { class: "field" }, el("label", { class: "choice" }, box, label), note),
      read: () => String(box.checked),
      write: (text) => void (box.checked = text === "true"),
    };
  }
  const control =
    input === "choice"
      ? el(
          "select",
          attributes,
          choices.map((value) => el("option", { value }, value)),
        )
      : input === "area"
        ? el("textarea", { ...attributes, rows: 3 })
        : el("input", { ...attributes, type: input === "secret" ? "password" : "text" });
  return {
    element: el("div", { class: "field" }, el("label", { for: id }, label), control, note),
    read: () => control.value,
    write: (text) => void (control.value = text),
  };
}

/** Every scope that a method asks of a scheme. */
function scopesOf(scheme: string, { methods }: Described): readonly string[] {
  const asked = methods.flatMap(({ alternatives }) => alternatives.flatMap((each) => each[scheme] ?? []));
  return [...new Set(asked)];
}
