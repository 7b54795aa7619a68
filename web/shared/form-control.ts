import { el, newId, type Child } from "./dom.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Suggest } from "./suggestions.ts";
import { prose } from "./view.ts";
import type { FieldName, SchemaDocument, SchemaField } from "./schema.ts";

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
