import { ledgerInterface } from "../../generated/ledger/methods.ts";
import type { CompleteRegisterDevicePayload } from "../../generated/ledger/types.ts";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { partnerInterface } from "../../generated/partner/methods.ts";
import type { Config } from "../../runtime/config/index.ts";
import type { InterfaceDescriptor, ServedRevision } from "../../runtime/contract/index.ts";
import { ledgerHandlers, ledgerRevisions } from "../handlers/ledger/index.ts";
import type { WebPages } from "../../runtime/http/index.ts";
import { operatorHandlers, operatorRevisions } from "../handlers/operator/index.ts";
import { partnerHandlers, partnerRevisions } from "../handlers/partner/index.ts";
import type { AnyHandler } from "../../runtime/pipeline/index.ts";
import type { AuthOptions } from "../../runtime/ports/index.ts";

/**
 * One interface that the service serves, on a port of its own. Its name gives the realm of its users and the settings
 * `<name>.host` and `<name>.port`; its spec names the authentication scheme. One that is `beside` another has neither
 * users nor settings of its own.
 */
export interface InterfaceRow {
  readonly descriptor: InterfaceDescriptor;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Earlier revisions that are served too, oldest first. */
  readonly revisions: readonly ServedRevision[];
  /** The options of the interface's authentication scheme, which its spec names (`auth.scheme`). */
  readonly auth?: AuthOptions;
  /**
   * Whether anyone may reach it: then it needs an address in production, has the service's public keys, shows
   * `/metrics` only with `metrics.public`, and obeys `auth.flatBodies`.
   */
  readonly isPublic?: true;
  /** The interface whose users may call it too, and on whose port it is served, on its own path, where `isOn`. */
  readonly beside?: { readonly name: string; isOn(config: Config): boolean };
  /** Pages on the port where it is served that work with it, where `console.pages` says so. */
  readonly console?: Omit<WebPages, "root">;
}

const ledger: InterfaceRow = {
  descriptor: ledgerInterface,
  handlers: { ...ledgerHandlers },
  revisions: ledgerRevisions,
  auth: {
    proofOfPossession: {
      method: "KeyService.CompleteRegisterDevice" satisfies keyof typeof ledgerHandlers,
      field: "PublicKey" satisfies keyof CompleteRegisterDevicePayload,
    },
  },
  isPublic: true,
};

/** Its own modules, and of what is generated the client and what forms are made from. */
const operatorConsole: Omit<WebPages, "root"> = {
  path: "/console",
  index: "web/console/index.html",
  files: [
    "web/console/",
    "web/shared/",
    "generated/operator/client/",
    "generated/operator/validators/",
    "generated/operator/json-schema.json",
  ],
};

const operator: InterfaceRow = {
  descriptor: operatorInterface,
  handlers: { ...operatorHandlers },
  revisions: operatorRevisions,
  console: operatorConsole,
};

/** Its own modules, the generated client, and the validators and schema of its forms. */
const partnerPage: Omit<WebPages, "root"> = {
  path: "/partner",
  index: "web/partner/index.html",
  files: [
    "web/partner/",
    "web/shared/",
    "generated/partner/client/",
    "generated/partner/validators/",
    "generated/partner/json-schema.json",
  ],
};

/** The interface for users of the documented interface alone. */
const partner: InterfaceRow = {
  descriptor: partnerInterface,
  handlers: { ...partnerHandlers },
  revisions: partnerRevisions,
  beside: { name: ledger.descriptor.name, isOn: (config) => config.partnerInterface },
  console: partnerPage,
};

/** The interfaces of the service. A row more is an interface more. */
export const interfaces: readonly InterfaceRow[] = [ledger, operator, partner];

/** The interface whose events are recorded, in its current revision. */
export const eventInterface: InterfaceRow = ledger;
