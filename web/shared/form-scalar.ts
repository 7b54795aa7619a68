import { el, newId } from "./dom.ts";
import {
  groupElement,
  messageElement,
  presenceOf,
  type Builder,
  type Control,
  labelOf,
} from "./form-control.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { listOf, type SchemaField } from "./schema.ts";
import { offering } from "./suggestions.ts";
import { prose } from "./view.ts";

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
