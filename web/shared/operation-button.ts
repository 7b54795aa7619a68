import { openForm } from "./dialog.ts";
import { el, type Child } from "./dom.ts";
import { fieldOf, inWords, mayHaveHappened } from "./failure.ts";
import type { JsonObject } from "./json.ts";
import { loadSchema, type SchemaDocument } from "./schema.ts";
import type { Suggest } from "./suggestions.ts";
import { loadModule, loadValidator } from "./validator.ts";

/** What forms are made from. */
export interface Forms {
  /** The schemas of the payloads. */
  readonly schema: SchemaDocument;
  /** The module of their validators. */
  readonly validators: URL;
}

/** Reads what was generated from an interface, so that its forms open while the service does not answer, too. */
export async function loadForms(generated: URL): Promise<Forms> {
  const validators = new URL("validators/payloads.js", generated);
  const [schema] = await Promise.all([
    loadSchema(new URL("json-schema.json", generated)),
    loadModule(validators),
  ]);
  return { schema, validators };
}

/** Texts and actions of an operation's dialog. */
export interface ActionOptions<Result> {
  readonly label: string;
  readonly text?: string;
  /** Fields of the payload that the page knows. */
  readonly fixed?: JsonObject;
  readonly initial?: JsonObject;
  /** Whether it is what a page is there for. */
  readonly isPrimary?: true;
  /** A word that has to be typed first: what cannot be undone. */
  readonly confirm?: string;
  /** Why the present state forbids it, and what to do. */
  readonly conflict?: string;
  /** The schema of the payload as this reader fills it in, such as with the values to choose from. */
  readonly narrowed?: (schema: JsonObject) => Promise<JsonObject>;
  /** The message after success. */
  readonly done: (result: Result, payload: JsonObject) => Child;
  /** Reads the page again. */
  readonly refresh: () => void;
}

/** Payload and result of each method, by name: a generated client's table. */
type MethodTypes<Methods> = {
  readonly [Name in keyof Methods]: { readonly payload: object; readonly result: unknown };
};

/** The signed-in caller as a button needs it: the generated client, and what its forms are made from. */
export interface FormSession<Methods extends MethodTypes<Methods>> extends Forms {
  readonly client: {
    call<Name extends keyof Methods>(
      name: Name,
      payload: Methods[Name]["payload"],
      options: { readonly id: string },
    ): Promise<Methods[Name]["result"]>;
  };
  /** The values that fields of an operation's form may have. */
  readonly suggest?: (operation: string) => Suggest;
  /** The action after an error that asks for another way, such as the approval of somebody else. */
  readonly otherwise?: (error: unknown, name: string, payload: object) => Promise<Child> | undefined;
}

/** Makes the buttons of one interface. */
export type OperationButton<Methods extends MethodTypes<Methods>> = <Name extends keyof Methods & string>(
  session: FormSession<Methods>,
  name: Name,
  options: ActionOptions<Methods[Name]["result"]>,
) => HTMLButtonElement;

/** A button that opens the form of an operation. */
export function operationButton<Methods extends MethodTypes<Methods>, Name extends keyof Methods & string>(
  { client, schema: document, validators, suggest, otherwise }: FormSession<Methods>,
  name: Name,
  options: ActionOptions<Methods[Name]["result"]>,
): HTMLButtonElement {
  const open = async (): Promise<void> => {
    const validate = await loadValidator(validators, `validate${name}Payload`);
    const schemaOf = document.of(`${name}Payload`);
    const schema = (await options.narrowed?.(schemaOf)) ?? schemaOf;
    let sent = { id: "", text: "" };
    const fits = (payload: object): payload is Methods[Name]["payload"] => validate(payload).length === 0;
    openForm({
      title: options.label,
      document,
      schema,
      suggest: suggest?.(name),
      validate,
      action: options.label,
      ...(options.text !== undefined && { text: options.text }),
      ...(options.fixed && { fixed: options.fixed }),
      ...(options.initial && { initial: options.initial }),
      ...(options.confirm !== undefined && { confirm: options.confirm }),
      send: async (payload) => {
        if (!fits(payload)) throw new Error("The payload does not fit.");
        // The same again is the same request: where its answer was lost, it takes effect once.
        const text = JSON.stringify(payload);
        if (sent.text !== text) sent = { id: crypto.randomUUID(), text };
        try {
          return options.done(await client.call(name, payload, { id: sent.id }), payload);
        } catch (error) {
          const other = otherwise?.(error, name, payload);
          if (other !== undefined) return await other;
          if (!mayHaveHappened(error)) sent.text = "";
          throw inWords(error, options.conflict);
        }
      },
      fieldOf,
      onDone: options.refresh,
    });
  };
  const kind = options.isPrimary ? { class: "primary" } : {};
  const look = options.confirm === undefined ? kind : { class: "danger" };
  return el("button", { type: "button", ...look, onclick: () => void open() }, `${options.label} …`);
}
