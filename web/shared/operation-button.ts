import { openForm } from "./dialog.ts";
import { el, type Child } from "./dom.ts";
import type { JsonObject } from "./json.ts";
import type { SchemaDocument } from "./schema.ts";
import { loadValidator } from "./validator.ts";

/** What an operation's dialog says and does. */
export interface ActionOptions<Result> {
  readonly label: string;
  readonly text?: Child;
  /** Fields of the payload that the page knows. */
  readonly fixed?: JsonObject;
  readonly initial?: JsonObject;
  /** A word that has to be typed first: what cannot be undone. */
  readonly confirm?: string;
  /** What is shown when it was done. */
  readonly done: (result: Result) => Child;
  /** Reads the page again. */
  readonly refresh: () => void;
}

/** An operation of an interface, as a page calls it. */
export interface PageOperation<Payload extends object, Result> {
  readonly name: string;
  /** The folder of what is generated from the interface. */
  readonly generated: URL;
  readonly schema: SchemaDocument;
  call(payload: Payload): Promise<Result>;
  /** JSON Pointer of the field that an error is about. */
  fieldOf(error: unknown): string | undefined;
}

/** A button that opens the form of an operation. */
export function operationButton<Payload extends object, Result>(
  { name, generated, schema, call, fieldOf }: PageOperation<Payload, Result>,
  options: ActionOptions<Result>,
): HTMLButtonElement {
  const open = async (): Promise<void> => {
    const validate = await loadValidator(new URL(`validators/${kebab(name)}.payload.js`, generated));
    const fits = (payload: object): payload is Payload => validate(payload).length === 0;
    openForm({
      title: options.label,
      document: schema,
      schema: schema.of(`${name}Payload`),
      validate,
      action: options.label,
      ...(options.text !== undefined && { text: options.text }),
      ...(options.fixed && { fixed: options.fixed }),
      ...(options.initial && { initial: options.initial }),
      ...(options.confirm !== undefined && { confirm: options.confirm }),
      send: async (payload) => {
        if (!fits(payload)) throw new Error("The payload does not fit.");
        return options.done(await call(payload));
      },
      fieldOf,
      onDone: options.refresh,
    });
  };
  const danger = options.confirm === undefined ? {} : { class: "danger" };
  return el("button", { type: "button", ...danger, onclick: () => void open() }, `${options.label} …`);
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
