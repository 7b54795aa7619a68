import { el, show } from "./dom.ts";
import {
  groupElement,
  labelOf,
  type Builder,
  type Control,
  type ObjectControl,
  choicesControl,
  scalarField,
  jsonField,
} from "./form-control.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { Suggest } from "./suggestions.ts";
import { actions } from "./view.ts";
import {
  fieldsOf,
  groupOf,
  listOf,
  own,
  type FieldName,
  type SchemaDocument,
  type SchemaField,
} from "./schema.ts";

/** Fields of a payload, made from its JSON Schema. */
export interface Form {
  readonly element: HTMLElement;
  /** The values of its fields; empty fields are absent. */
  read(): JsonObject;
  /** Fields whose text cannot be read: Text that is not JSON. */
  unreadable(): FieldError[];
  /** Shows what is wrong at fields, by JSON Pointer, and removes what was shown before. Gives what has no field. */
  showErrors(errors: readonly FieldError[]): FieldError[];
}

export interface FieldError {
  /** JSON Pointer (RFC 6901) into the payload. */
  readonly pointer: string;
  readonly text: string;
  /** That a field is missing, or one of several: these errors belong together. */
  readonly kind?: "missing" | "none-of-several";
}

export interface FormOptions {
  readonly document: SchemaDocument;
  readonly schema: JsonObject;
  /** Values to begin with. */
  readonly initial?: JsonObject;
  /** Fields that the page knows: not shown, part of what is read. */
  readonly fixed?: JsonObject;
  /** The values that fields may have. */
  readonly suggest?: Suggest | undefined;
  /** What fields are called; absent: by their names, and their labels beside them. */
  readonly labelOf?: (field: FieldName) => string;
  /** Called after every change. */
  readonly onInput?: () => void;
}

export function createForm(options: FormOptions): Form {
  const { document, schema, initial = {}, fixed = {}, onInput } = options;
  const builder: Builder = {
    document,
    places: new Map(),
    groups: new Map(),
    unreadable: new Map(),
    changed: () => onInput?.(),
    suggest: options.suggest,
    labelOf: options.labelOf,
  };
  const control = objectControl(builder, schema, { ...initial, ...fixed }, "", new Set(Object.keys(fixed)));
  return {
    element: control.element,
    read: () => ({ ...control.read(), ...fixed }),
    unreadable: () =>
      [...builder.unreadable]
        .filter(([pointer]) => builder.places.get(pointer)?.input.isConnected === true)
        .map(([pointer, text]) => ({ pointer, text })),
    showErrors(errors) {
      for (const { input, message } of builder.places.values()) {
        input.removeAttribute("aria-invalid");
        show(message);
      }
      return joined(errors, builder).filter(({ pointer, text }) => {
        const place = builder.places.get(pointer);
        if (place === undefined || !place.input.isConnected) return true;
        place.input.setAttribute("aria-invalid", "true");
        show(place.message, text);
        return false;
      });
    },
  };
}

/** One error in place of those of each field, where at least one of several fields is needed. */
function joined(errors: readonly FieldError[], builder: Builder): readonly FieldError[] {
  const { groups } = builder;
  const namesOf = (pointer: string): string =>
    (groups.get(pointer) ?? []).map((each) => labelOf(builder, each)).join(", ");
  const empty = errors.filter(({ kind, pointer }) => kind === "none-of-several" && groups.has(pointer));
  const within = new Set(
    empty.flatMap(({ pointer }) => (groups.get(pointer) ?? []).map(({ name }) => `${pointer}/${name}`)),
  );
  return errors
    .filter(({ kind, pointer }) => kind !== "missing" || !within.has(pointer))
    .map((error) =>
      empty.includes(error)
        ? {
            ...error,
            text: `Fill in at least one of these: ${namesOf(error.pointer)}`,
          }
        : error,
    );
}

/** Which fields there are, and which of them are needed. */
function formOf(fields: readonly SchemaField[]): string {
  return fields.map(({ name, required }) => (required ? `${name}!` : name)).join();
}

function objectControl(
  builder: Builder,
  schema: JsonObject,
  initial: JsonObject,
  pointer: string,
  hidden: ReadonlySet<string> = new Set(),
): ObjectControl {
  const element = el("div", { class: "fields" });
  const group = groupOf(builder.document.resolved(schema));
  if (group.length > 0) builder.groups.set(pointer, group);
  let controls = new Map<string, Control>();

  function read(): JsonObject {
    const entries = [...controls].map(([name, control]) => [name, control.read()] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  const fieldsFor = (value: JsonObject): readonly SchemaField[] =>
    fieldsOf(builder.document, schema, value).filter(({ name }) => !hidden.has(name));
  let form = "";

  function build(value: JsonObject): void {
    const fields = fieldsFor(value);
    form = formOf(fields);
    controls = new Map(
      fields.map((field) => {
        const at = `${pointer}/${field.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        return [field.name, fieldControl(builder, field, own(value, field.name), at)];
      }),
    );
    show(
      element,
      [...controls.values()].map((control) => control.element),
    );
  }

  // A field that selects a form of the payload changes which fields there are.
  element.addEventListener("change", (event) => {
    const value = read();
    if (formOf(fieldsFor(value)) === form) return;
    const focused = event.target instanceof HTMLElement ? event.target.getAttribute("name") : null;
    build(value);
    element.querySelector<HTMLElement>(`[name="${CSS.escape(focused ?? "")}"]`)?.focus();
  });
  build(initial);
  return { element, read };
}

function fieldControl(
  builder: Builder,
  field: SchemaField,
  initial: Json | undefined,
  pointer: string,
): Control {
  const given = builder.document.resolved(field.schema);
  const schema = withoutNull(builder.document, given);
  if (schema === given) return controlOf(builder, field, schema, initial, pointer);
  // Where there has to be a value, an empty field is the null that the schema takes.
  const control = controlOf(builder, field, schema, initial ?? undefined, pointer);
  return { ...control, read: () => control.read() ?? (field.required ? null : undefined) };
}

function controlOf(
  builder: Builder,
  field: SchemaField,
  schema: JsonObject,
  initial: Json | undefined,
  pointer: string,
): Control {
  if ("const" in schema)
    return {
      element: el("div", { hidden: true }),
      read: () => (field.required ? schema["const"] : undefined),
    };
  if (isWritten(schema)) return jsonField(builder, field, initial, pointer);
  if (schema["type"] === "object" || "properties" in schema)
    return isFolded(field, initial, pointer)
      ? foldedControl(builder, field, schema, pointer)
      : groupControl(builder, field, schema, isObject(initial) ? initial : {}, pointer);
  if (schema["type"] === "array") return listControl(builder, field, schema, listOf(initial), pointer);
  return scalarField(builder, field, schema, initial, pointer);
}

/** A schema that takes null beside one other, as that other: a field that is left empty is not sent. */
function withoutNull(document: SchemaDocument, schema: JsonObject): JsonObject {
  const parts = listOf(schema["anyOf"]).filter((part) => isObject(part));
  const others = parts.filter((part) => part["type"] !== "null");
  const [other] = others;
  if (other === undefined || others.length > 1 || parts.length !== 2) return schema;
  const { anyOf: _, ...beside } = schema;
  return { ...document.resolved(other), ...beside };
}

/** Whether a value has no fields of its own to fill in, and is written as JSON. */
function isWritten(schema: JsonObject): boolean {
  if ("anyOf" in schema || "oneOf" in schema || "prefixItems" in schema) return true;
  const isObjectType = schema["type"] === "object" && !("properties" in schema) && !("allOf" in schema);
  return (
    isObjectType ||
    !["type", "enum", "const", "properties", "allOf", "pattern"].some((name) => name in schema)
  );
}

/** An object inside: left out where none of its fields is filled, unless it is required. */
function groupControl(
  builder: Builder,
  field: SchemaField,
  schema: JsonObject,
  initial: JsonObject,
  pointer: string,
): Control {
  const inner = objectControl(builder, schema, initial, pointer);
  const element = groupElement(builder, field, pointer, inner.element);
  return {
    element,
    read() {
      const value = inner.read();
      return !field.required && Object.keys(value).length === 0 ? undefined : value;
    },
  };
}

/** Of more values than these a list is written one by one. */
const choicesMax = 40;

/** Objects deeper than this are made when they are asked for: a type may contain itself. */
const depthMax = 2;

function isFolded({ required }: SchemaField, initial: Json | undefined, pointer: string): boolean {
  return !required && initial === undefined && pointer.split("/").length - 1 > depthMax;
}

/** An object that is left out until its fields are asked for. */
function foldedControl(builder: Builder, field: SchemaField, schema: JsonObject, pointer: string): Control {
  let control: Control | undefined;
  const button = el("button", { type: "button", class: "small" }, `Fill in ${labelOf(builder, field)}`);
  const element = el("div", { class: "folded" }, groupElement(builder, field, pointer, button));
  button.addEventListener("click", () => {
    control = groupControl(builder, field, schema, {}, pointer);
    show(element, control.element);
    element.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  });
  return { element, read: () => control?.read() };
}

function listControl(
  builder: Builder,
  field: SchemaField,
  schema: JsonObject,
  initial: readonly Json[],
  pointer: string,
): Control {
  const items = builder.document.resolved(isObject(schema["items"]) ? schema["items"] : {});
  if (Array.isArray(items["enum"]) && items["enum"].length <= choicesMax)
    return choicesControl(builder, field, listOf(items["enum"]), initial, pointer, items["x-labels"]);
  const list = el("div", { class: "items" });
  const controls: Control[] = [];

  function add(value: Json | undefined): Control {
    const index = controls.length;
    const label = field.label && `${field.label} ${index + 1}`;
    const itemField = { name: `${field.name} ${index + 1}`, label, schema: items, required: true, doc: "" };
    const control = fieldControl(builder, itemField, value, `${pointer}/${index}`);
    controls.push(control);
    list.append(control.element);
    showRemove();
    return control;
  }

  function addEmpty(): void {
    add(undefined).element.querySelector<HTMLElement>("input, select, textarea")?.focus();
    builder.changed();
  }

  function removeLast(): void {
    controls.pop()?.element.remove();
    showRemove();
    // A hidden button has no focus.
    if (controls.length === 0) buttons.querySelector("button")?.focus();
    builder.changed();
  }

  function showRemove(): void {
    remove.hidden = controls.length === 0;
  }

  const remove = el("button", { type: "button", onclick: removeLast }, "Remove the last");
  for (const value of initial) add(value);
  const buttons = actions(
    el("button", { type: "button", onclick: addEmpty }, `Add one to ${labelOf(builder, field)}`),
    remove,
  );
  showRemove();
  const element = groupElement(builder, field, pointer, list, buttons);
  return {
    element,
    read() {
      const values = controls.map((control) => control.read() ?? "");
      return values.length === 0 && !field.required ? undefined : values;
    },
  };
}
