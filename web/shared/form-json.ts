import { el, newId } from "./dom.ts";
import { messageElement, presenceOf, type Builder, type Control, labelOf } from "./form-control.ts";
import type { Json } from "./json.ts";
import type { SchemaField } from "./schema.ts";
import { prose } from "./view.ts";

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
