import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { operatorInterface } from "../../generated/operator/methods.ts";
import type { InterfaceDescriptor, ServedRevision } from "../contract/index.ts";
import { ledgerHandlers, ledgerRevisions } from "../handlers/ledger/index.ts";
import { operatorHandlers, operatorRevisions } from "../handlers/operator/index.ts";
import type { AnyHandler } from "../pipeline/index.ts";
import type { AuthOptions } from "../ports/index.ts";

/**
 * One interface that the service serves, on a port of its own. Its name gives the realm of its users and the settings
 * `<name>.host` and `<name>.port`; its spec names the authentication scheme.
 */
export interface InterfaceRow {
  readonly descriptor: InterfaceDescriptor;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Earlier revisions that are served too, oldest first. */
  readonly revisions: readonly ServedRevision[];
  /** What the interface asks of its authentication scheme, which its spec names (`auth.scheme`). */
  readonly auth?: AuthOptions;
  /**
   * Whether anyone may reach it: then it needs an address in production, has the service's public keys, shows
   * `/metrics` only with `metrics.public`, and obeys `auth.flatBodies`.
   */
  readonly isPublic?: true;
}

const ledger: InterfaceRow = {
  descriptor: ledgerInterface,
  handlers: { ...ledgerHandlers },
  revisions: ledgerRevisions,
  auth: { proofOfPossession: { method: "KeyService.CompleteRegisterDevice", field: "PublicKey" } },
  isPublic: true,
};

const operator: InterfaceRow = {
  descriptor: operatorInterface,
  handlers: { ...operatorHandlers },
  revisions: operatorRevisions,
};

/** The interfaces of the service. A row more is an interface more. */
export const interfaces: readonly InterfaceRow[] = [ledger, operator];

/** The interface whose events are recorded, in its current revision. */
export const eventInterface: InterfaceRow = ledger;
