import { el, newId, type Child } from "./dom.ts";
import { type Json, type JsonObject, isObject } from "./json.ts";
import { type Suggest, offering } from "./suggestions.ts";
import { prose } from "./view.ts";
import { type FieldName, type SchemaDocument, type SchemaField, listOf } from "./schema.ts";

/** One value of a form: what shows it, and how it is read. */
export interface Control {
  readonly element: HTMLElement;
  read(): Json | undefined;
}

export interface ObjectControl extends Control {
  read(): JsonObject;
}

/** Where the error of a field is shown. */
export interface Place {
  readonly input: HTMLElement;
  readonly message: HTMLElement;
}

export interface Builder {
  readonly document: SchemaDocument;
  readonly places: Map<string, Place>;
  /** The fields of which at least one is needed, by the pointers of their objects. */
  readonly groups: Map<string, readonly FieldName[]>;
  /** Messages about texts that cannot be read, by the pointers of their fields. */
  readonly unreadable: Map<string, string>;
  readonly changed: () => void;
  /** The values that a field may have, by its name. */
  readonly suggest?: Suggest | undefined;
  /** What a field is called; absent: by its name, and its label beside it. */
  readonly labelOf?: ((field: FieldName) => string) | undefined;
}

/** Fields that belong together, with a place for the error of the whole. */
export function groupElement(
  builder: Builder,
  field: SchemaField,
  pointer: string,
  ...content: readonly Child[]
): HTMLElement {
  const message = messageElement();
  const legend = el("legend", {}, labelOf(builder, field), presenceOf(field, builder));
  const doc = field.doc === "" ? undefined : el("p", { class: "hint" }, prose(field.doc));
  const element = el("fieldset", {}, legend, doc, message, content);
  builder.places.set(pointer, { input: element, message });
  return element;
}

/** The text beside a label's name; empty if the field is required. */
export function presenceOf({ required, group }: SchemaField, builder: Pick<Builder, "labelOf">): Child {
  if (required) return undefined;
  const names = group?.map((each) => labelOf(builder, each)).join(", ");
  return el("small", {}, names === undefined ? " optional" : ` one of ${names}`);
}

/** What a form calls a field. */
export function labelOf(builder: Pick<Builder, "labelOf">, field: FieldName): string {
  const { name, label } = field;
  return builder.labelOf?.(field) ?? (label === undefined ? name : `${name} (${label})`);
}

export function messageElement(): HTMLElement {
  return el("p", { class: "error", id: newId("error"), "aria-live": "polite" });
}

/** A list of values out of a few. `words` has those for some of them, by the values. */
export function choicesControl(
  builder: Builder,
  field: SchemaField,
  values: readonly Json[],
  initial: readonly Json[],
  pointer: string,
  words: Json | undefined,
): Control {
  const boxes = values.map((value) => {
    const box = el("input", { type: "checkbox", name: field.name, oninput: builder.changed });
    box.checked = initial.includes(value);
    return { value, box };
  });
  const labels = boxes.map(({ value, box }) => {
    const label = isObject(words) ? words[String(value)] : undefined;
    return el("label", { class: "choice" }, box, String(label ?? value));
  });
  const element = groupElement(builder, field, pointer, labels);
  return {
    element,
    read() {
      const chosen = boxes.filter(({ box }) => box.checked).map(({ value }) => value);
      return chosen.length === 0 && !field.required ? undefined : chosen;
    },
  };
}

export function scalarField(
  builder: Builder,
  field: SchemaField,
  schema: JsonObject,
  initial: Json | undefined,
  pointer: string,
): Control {
  const id = newId("field");
  const message = messageElement();
  const hint = field.doc === "" ? undefined : el("p", { class: "hint", id: `${id}-hint` }, prose(field.doc));
  const described = [hint?.id, message.id].filter((each) => each !== undefined).join(" ");
  const input = inputFor(schema, {
    id,
    name: field.name,
    required: field.required,
    "aria-describedby": described,
  });
  input.value = initial === undefined || initial === null ? "" : String(initial);
  input.addEventListener("input", builder.changed);
  const label = el("label", { for: id }, labelOf(builder, field), presenceOf(field, builder));
  const read = isOffered(input) ? builder.suggest?.(field.name) : undefined;
  const offers = read === undefined ? undefined : offering(input, read);
  builder.places.set(pointer, { input, message });
  return {
    element: el("div", { class: "field" }, label, input, offers, hint, message),
    read: () => (input.value === "" ? undefined : valueOf(schema, input.value)),
  };
}

function inputFor(
  schema: JsonObject,
  attributes: Readonly<Record<string, string | boolean>>,
): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const choices = schema["type"] === "boolean" ? [true, false] : listOf(schema["enum"]);
  if (choices.length > 0) {
    const options = choices.map((value) => el("option", { value: String(value) }, String(value)));
    return el("select", attributes, el("option", { value: "" }, ""), options);
  }
  if (schema["x-format"] === "pem") return el("textarea", { ...attributes, rows: 5, spellcheck: "false" });
  const isNumber = schema["type"] === "number" || schema["type"] === "integer";
  const example = listOf(schema["examples"])[0];
  return el("input", {
    ...attributes,
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    inputmode: isNumber ? "decimal" : undefined,
    placeholder: example === undefined ? undefined : `such as ${String(example)}`,
  });
}

/** Whether it is a line of text, which can offer values. */
function isOffered({ nodeName }: HTMLElement): boolean {
  return nodeName === "INPUT";
}

/** A text that is no number stays one: the validator says what is wrong. */
function valueOf(schema: JsonObject, text: string): Json {
  if (schema["type"] === "boolean") return text === "true";
  const isNumber = schema["type"] === "number" || schema["type"] === "integer";
  if (!isNumber || text.trim() === "") return text;
  const number = Number(text);
  // Beyond it a number would not be the one that was typed.
  return Number.isFinite(number) && (schema["type"] !== "integer" || Number.isSafeInteger(number))
    ? number
    : text;
}

/** A value that is written as JSON: one of several types, a map, a tuple, anything. */
export function jsonField(
  builder: Builder,
  field: SchemaField,
  initial: Json | undefined,
  pointer: string,
): Control {
  const id = newId("field");
  const message = messageElement();
  const hint = el(
    "p",
    { class: "hint", id: `${id}-hint` },
    prose(field.doc),
    field.doc === "" ? "" : " ",
    "As JSON.",
  );
  const input = el("textarea", {
    id,
    name: field.name,
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": `${hint.id} ${message.id}`,
  });
  input.value = initial === undefined ? "" : JSON.stringify(initial, undefined, 2);
  input.addEventListener("input", builder.changed);
  builder.places.set(pointer, { input, message });
  return {
    element: el(
      "div",
      { class: "field" },
      el("label", { for: id }, labelOf(builder, field), presenceOf(field, builder)),
      input,
      hint,
      message,
    ),
    read() {
      builder.unreadable.delete(pointer);
      if (input.value.trim() === "") return undefined;
      try {
        const value: Json = JSON.parse(input.value);
        return value;
      } catch {
        builder.unreadable.set(pointer, 'is no JSON: texts stand in quotes, such as "text"');
        return undefined;
      }
    },
  };
}
