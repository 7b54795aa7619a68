import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { braces, lines, type Printable } from "../../print/layout.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ClientNames } from "./names.ts";

const reExports = [
  'export type * from "./events.ts";',
  'export type * from "./notification.ts";',
  'export type { VerificationJwk } from "./webhook-keys.ts";',
  "export {",
  "  WebhookError,",
  "  type WebhookFault,",
  "  type WebhookHeaders,",
  "  type WebhookOptions,",
  "  type WebhookVerifier,",
  '} from "./webhook-verifier.ts";',
];

/** `webhooks.ts`: the verifier of notifications, typed by the events of the interface. */
export function webhooksModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const event = importedType(names.event, `${folder}/events.ts`);
  const verifier = `${folder}/webhook-verifier.ts`;
  const type: Printable = [
    docComment({ doc: "Verifies notifications and gives their events." }),
    "export type Webhooks = ",
    [importedType("WebhookVerifier", verifier), "<", event, ">;"],
  ];
  const doc =
    "Makes a verifier. Of the signatures in `webhook-signature` (Standard Webhooks: `v1` by secret, `v1a` by public key) one has to fit; where public keys are known, the body's own signature over its payload has to fit as well.";
  const make: Printable = [
    docComment({ doc }),
    ["export function webhooks(options: ", importedType("WebhookOptions", verifier), "): Webhooks "],
    braces([["return ", importedValue("webhookVerifier", verifier), "(options);"]]),
  ];
  return printModule({
    path: `${folder}/webhooks.ts`,
    preamble: preamble(model),
    declares: ["Webhooks", "webhooks"],
    body: [lines(reExports), type, make],
  });
}
