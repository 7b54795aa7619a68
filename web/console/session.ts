import {
  isOperatorError,
  OperatorClient,
  type BoundOperation,
  type OperatorMethods,
} from "../../generated/operator/client/index.ts";
import { openForm } from "../shared/dialog.ts";
import { el, type Child } from "../shared/dom.ts";
import type { JsonObject } from "../shared/json.ts";
import { loadSchema, type SchemaDocument } from "../shared/schema.ts";
import type { Caller } from "../shared/sign-in.ts";
import { loadValidator } from "../shared/validator.ts";

/** An operator who has signed in. */
export interface Session {
  readonly client: OperatorClient;
  readonly userName: string;
  readonly schema: SchemaDocument;
}

const generated = new URL("../../generated/operator/", import.meta.url);

/** Signs in: one call shows that the service takes the caller. */
export async function signIn(caller: Caller): Promise<Session> {
  const client = new OperatorClient({
    baseUrl: location.origin,
    credential: { userName: caller.userName, apiKey: caller.apiKey },
    signer: { keyId: caller.keyId, privateKey: caller.privateKey },
  });
  const [schema] = await Promise.all([
    loadSchema(new URL("json-schema.json", generated)),
    client.listCustomers({ pageSize: 1 }),
  ]);
  return { client, userName: caller.userName, schema };
}

/** What an action's dialog says and does. */
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

/** A button that opens the form of an operation. */
export function actionButton<Name extends keyof OperatorMethods>(
  session: Session,
  name: Name,
  options: ActionOptions<OperatorMethods[Name]["result"]>,
): HTMLButtonElement {
  type Payload = OperatorMethods[Name]["payload"];
  const call: BoundOperation<Payload, OperatorMethods[Name]["result"]> = (payload) =>
    session.client.call(name, payload);
  const open = async (): Promise<void> => {
    const validate = await loadValidator(new URL(`validators/${kebab(name)}.payload.js`, generated));
    const fits = (payload: object): payload is Payload => validate(payload).length === 0;
    openForm({
      title: options.label,
      document: session.schema,
      schema: session.schema.of(`${name}Payload`),
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
      fieldOf: (error) => (isOperatorError(error) ? error.field : undefined),
      onDone: options.refresh,
    });
  };
  const danger = options.confirm === undefined ? {} : { class: "danger" };
  return el("button", { type: "button", ...danger, onclick: () => void open() }, `${options.label} …`);
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
