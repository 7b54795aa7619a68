import { openForm } from "./dialog.ts";
import { el, type Child } from "./dom.ts";
import { inWords, mayHaveHappened } from "./failure.ts";
import type { JsonObject } from "./json.ts";
import type { SchemaDocument } from "./schema.ts";
import type { Suggest } from "./suggestions.ts";
import { loadValidator } from "./validator.ts";

/** The module of an interface's validators of payloads, in the folder of what is generated from it. */
export const payloadValidators = "validators/payloads.js";

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

/** The signed-in caller as a button needs it: the generated client and the schemas of its payloads. */
interface FormSession<Methods extends MethodTypes<Methods>> {
  readonly client: {
    call<Name extends keyof Methods>(
      name: Name,
      payload: Methods[Name]["payload"],
      options: { readonly id: string },
    ): Promise<Methods[Name]["result"]>;
  };
  readonly schema: SchemaDocument;
  /** The values that fields of an operation's form may have. */
  readonly suggest?: (operation: string) => Suggest;
  /** The action after an error that asks for another way, such as the approval of somebody else. */
  readonly otherwise?: (error: unknown, name: string, payload: object) => Promise<Child> | undefined;
}

/**
 * Makes the buttons that open the forms of an interface's operations.
 * @param generated The folder of what is generated from the interface.
 * @param fieldOf JSON Pointer of the field that an error is about.
 */
export function operationButtons<Methods extends MethodTypes<Methods>>(
  generated: URL,
  fieldOf: (error: unknown) => string | undefined,
) {
  return <Name extends keyof Methods & string>(
    { client, schema: document, suggest, otherwise }: FormSession<Methods>,
    name: Name,
    options: ActionOptions<Methods[Name]["result"]>,
  ): HTMLButtonElement => {
    const open = async (): Promise<void> => {
      const validate = await loadValidator(new URL(payloadValidators, generated), `validate${name}Payload`);
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
  };
}
