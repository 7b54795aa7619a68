import {
  messageSignatures,
  PartnerClient,
  type PartnerMethods,
} from "../../generated/partner/client/index.ts";
import { el, show, type Child } from "../shared/dom.ts";
import { failureText, inWords } from "../shared/failure.ts";
import { loadForms, operationButton, type Forms, type OperationButton } from "../shared/operation-button.ts";
import type { ContextOf, PageOf } from "../shared/page.ts";
import type { Caller } from "../shared/sign-in.ts";
import { actions, notice } from "../shared/view.ts";

/** A user of the documented interface who has signed in. */
export interface Session extends Forms {
  readonly client: PartnerClient;
  readonly userName: string;
  /** The key that signs on this page. */
  readonly keyId: string;
  /** What the user may call. */
  readonly scopes: readonly string[];
}

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
  const [forms, { scopes }] = await Promise.all([
    loadForms(new URL("../../generated/partner/", import.meta.url)),
    client.listKeys({ activeOnly: true }),
  ]);
  return { ...forms, client, userName, keyId, scopes };
}

/** A button that opens the form of an operation. */
export const formButton: OperationButton<PartnerMethods> = operationButton;

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

  return el("div", {}, actions(button), outcome);
}
