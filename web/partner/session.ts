import {
  isPartnerError,
  messageSignatures,
  PartnerClient,
  type PartnerMethods,
} from "../../generated/partner/client/index.ts";
import { el, show, type Child } from "../shared/dom.ts";
import { failureText, inWords } from "../shared/failure.ts";
import { operationButtons, payloadValidators } from "../shared/operation-button.ts";
import type { ContextOf, PageOf } from "../shared/page.ts";
import { loadSchema, type SchemaDocument } from "../shared/schema.ts";
import type { Caller } from "../shared/sign-in.ts";
import { loadModule } from "../shared/validator.ts";
import { notice } from "../shared/view.ts";

/** A user of the documented interface who has signed in. */
export interface Session {
  readonly client: PartnerClient;
  readonly userName: string;
  /** The key that signs on this page. */
  readonly keyId: string;
  /** What the user may call. */
  readonly scopes: readonly string[];
  readonly schema: SchemaDocument;
}

const generated = new URL("../../generated/partner/", import.meta.url);

/** The context of a page. */
export type PartnerContext = ContextOf<Session>;

/** One of the partner's pages. */
export type PartnerPage = PageOf<Session>;

/** Signs in: one call shows that the service takes the caller, and says what the caller may do. */
export async function signIn({ userName, apiKey, keyId, privateKey }: Caller): Promise<Session> {
  const client = new PartnerClient({
    baseUrl: location.origin,
    credential: { userName, apiKey },
    signer: { keyId, privateKey },
    messageSignatures,
  });
  const [schema, , { scopes }] = await Promise.all([
    loadSchema(new URL("json-schema.json", generated)),
    // Forms open while the service does not answer, too.
    loadModule(new URL(payloadValidators, generated)),
    client.listKeys({ activeOnly: true }),
  ]);
  return { client, userName, keyId, scopes, schema };
}

/** A button that opens the form of an operation. */
export const formButton = operationButtons<PartnerMethods>(generated, (error) =>
  isPartnerError(error) ? error.field : undefined,
);

/** A button that does something at once, and says beside it how that went; `conflict` where the state forbids it. */
export function actionButton(label: string, act: () => Promise<Child>, conflict?: string): HTMLElement {
  const outcome = el("div", { class: "outcome" });
  const button = el("button", { type: "button", onclick: () => void run() }, label);

  async function run(): Promise<void> {
    button.disabled = true;
    try {
      show(outcome, notice("done", await act()));
    } catch (error) {
      show(outcome, notice("error", failureText(inWords(error, conflict))));
    }
    button.disabled = false;
    button.focus();
  }

  return el("div", {}, el("p", { class: "actions" }, button), outcome);
}
