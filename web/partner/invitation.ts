import { messageSignatures, PartnerClient } from "../../generated/partner/client/index.ts";
import { el, elementOf, show, type Child } from "../shared/dom.ts";
import { failureText } from "../shared/failure.ts";
import { generatePortableKey, type PageKey } from "../shared/key.ts";
import type { Caller } from "../shared/sign-in.ts";
import { actions, fileLink, notice } from "../shared/view.ts";

type Enter = (caller: Caller) => Promise<void>;

/** `#/invitation/<user>/<token>`: shows how to accept it, and takes the token out of the address and the history. */
export function arriveByInvitation(address: string, enter: Enter): boolean {
  const [, userName, token] = /^#\/invitation\/([^/]+)\/([^/]+)$/.exec(address) ?? [];
  if (userName === undefined || token === undefined) return false;
  history.replaceState(null, "", location.pathname);
  showInvitation(decodeURIComponent(userName), decodeURIComponent(token), enter);
  return true;
}

function showInvitation(userName: string, token: string, enter: Enter): void {
  const outcome = el("div", { class: "outcome" });
  const accept = el("button", { type: "button", class: "primary", onclick: () => void run() }, "Accept");
  // Asked again after an answer that was lost, the same request gives the same answer.
  const id = crypto.randomUUID();
  const making = generatePortableKey();

  async function run(): Promise<void> {
    accept.disabled = true;
    try {
      const { privateKey, privatePem, publicPem } = await making;
      const client = invitedClient(userName, token, privateKey);
      const { apiKey, KeyId: keyId } = await client.acceptInvitation({ PublicKey: publicPem }, { id });
      const caller = { userName, apiKey, keyId, privateKey };
      show(
        outcome,
        accepted({ userName, apiKey, keyId, privateKeyPem: privatePem }, () => enter(caller)),
      );
      accept.remove();
      outcome.querySelector("a")?.focus();
    } catch (error) {
      show(outcome, notice("error", invitationText(error)));
      accept.disabled = false;
      accept.focus();
    }
  }

  show(
    elementOf("main"),
    el("h1", {}, "You are invited"),
    el("p", {}, "You become ", el("strong", {}, userName), "."),
    el(
      "p",
      { class: "hint" },
      "This page makes a key pair for you. The service gets the public half and gives you an API key. The link is good once.",
    ),
    actions(accept),
    outcome,
  );
}

/** The token stands for the API key, and the new key signs. */
function invitedClient(userName: string, token: string, privateKey: PageKey): PartnerClient {
  return new PartnerClient({
    baseUrl: location.origin,
    credential: { userName, apiKey: token },
    signer: { keyId: "invited", privateKey },
    messageSignatures,
  });
}

function accepted(access: Readonly<Record<string, string>>, enter: () => Promise<void>): Child {
  const text = `${JSON.stringify({ baseUrl: location.origin, ...access }, null, 2)}\n`;
  const outcome = el("div");
  const goOn = (): void =>
    void enter().catch((error: unknown) => show(outcome, notice("error", failureText(error))));
  return [
    notice("done", "Your invitation is accepted."),
    el(
      "p",
      {},
      "Save your access file now: it holds your API key and your private key, and nobody can show them again. You sign in with it, and programs call with it.",
    ),
    actions(
      fileLink("access.json", text, "Save the access file"),
      el("button", { type: "button", onclick: goOn }, "Sign in"),
    ),
    outcome,
  ];
}

function invitationText(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  const isOver = code === "BAD_CREDENTIAL" || code === "CONFLICT";
  return isOver
    ? "This invitation is over, or was used. Ask the operator for another link."
    : failureText(error);
}
