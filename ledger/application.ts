import { fileURLToPath } from "node:url";
import { ledgerInterface } from "../generated/ledger/methods.ts";
import type { CompleteRegisterDevicePayload } from "../generated/ledger/types.ts";
import { operatorInterface } from "../generated/operator/methods.ts";
import { partnerInterface } from "../generated/partner/methods.ts";
import type { AcceptInvitationPayload } from "../generated/partner/types.ts";
import { signedEnvelope } from "../runtime/auth/index.ts";
import {
  both,
  choice,
  flag,
  integer,
  list,
  type Config,
  type Setting,
} from "../runtime/operations/config/index.ts";
import { omitUndefined } from "../runtime/contract/index.ts";
import { ledgerHandlers, ledgerRevisions } from "./handlers/ledger/index.ts";
import type { WebPages } from "../runtime/operations/http/index.ts";
import { operatorHandlers, operatorRevisions } from "./handlers/operator/index.ts";
import { partnerHandlers, partnerRevisions } from "./handlers/partner/index.ts";
import { defineApplication, type Application, type InterfaceRow } from "../runtime/server/index.ts";
import { recipients } from "./handlers/services/publish.ts";
import { shareAtRisk, type BankContext } from "./domain/rules.ts";
import { mails } from "./mails.ts";
import { schema } from "./schema.ts";
import { demoInstitutionId, demoUserName } from "./seed/index.ts";

const ledger: InterfaceRow = {
  descriptor: ledgerInterface,
  handlers: { ...ledgerHandlers },
  revisions: ledgerRevisions,
  auth: signedEnvelope({
    proofOfPossession: {
      method: "KeyService.CompleteRegisterDevice" satisfies keyof typeof ledgerHandlers,
      field: "PublicKey" satisfies keyof CompleteRegisterDevicePayload,
    },
  }),
  isPublic: true,
};

/** Its own modules, with what they import, and of what is generated the client and what forms are made from. */
const operatorConsole: Omit<WebPages, "root"> = {
  path: "/console",
  index: "web/operator/index.html",
  files: [
    "web/operator/",
    "web/console/pages/",
    "web/console/metrics.ts",
    "web/console/session.ts",
    "web/console/suggestions.ts",
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
  isManagedByCommands: true,
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
    "generated/ledger/asyncapi.json",
  ],
};

/** The interface for users of the documented interface alone. */
const partner: InterfaceRow = {
  descriptor: partnerInterface,
  handlers: { ...partnerHandlers },
  revisions: partnerRevisions,
  auth: signedEnvelope({
    proofOfPossession: {
      method: "AcceptInvitation" satisfies keyof typeof partnerHandlers,
      field: "PublicKey" satisfies keyof AcceptInvitationPayload,
      byInvitation: true,
    },
  }),
  beside: { name: ledger.descriptor.name, isOn: servesPartners },
  console: partnerPage,
};

/** Whether the documented interface's port serves the partner's interface. */
export function servesPartners({ given }: Config): boolean {
  return given.choice("partner.interface", "off", "on") === "on";
}

/** The interfaces of the service. A row more is an interface more. */
const interfaces: readonly InterfaceRow[] = [ledger, operator, partner];

const settings: readonly Setting[] = [
  {
    path: "partner.interface",
    env: "LEDGER_PARTNER_INTERFACE",
    kind: choice("off", "on"),
    ...both("off"),
    doc: "on serves the partner interface, `/partner/jsonrpc`, on the public port.",
  },
  {
    path: "accounts.closedIsFinal",
    env: "LEDGER_CLOSED_IS_FINAL",
    kind: flag,
    ...both(false),
    doc: "true: a CLOSED account stays closed (D-25).",
  },
  {
    path: "accounts.overdraft",
    env: "LEDGER_OVERDRAFT",
    kind: choice("allow", "refuse"),
    sandbox: "allow",
    production: "refuse",
    doc: "refuse: no transaction below `minimumBalance`, except on GL and CREDIT_CARD accounts (D-55).",
  },
  {
    path: "accounts.closing",
    env: "LEDGER_CLOSING",
    kind: choice("any", "settled"),
    sandbox: "any",
    production: "settled",
    doc: "settled: only accounts without balance, hold and pending transaction can be closed (D-55).",
  },
  {
    path: "accounts.custodialTypes",
    env: "LEDGER_CUSTODIAL_TYPES",
    kind: list,
    doc: "Accepted values of custodialType; absent: any of at most 64 characters (D-29).",
  },
  {
    path: "approvals.money",
    env: "LEDGER_APPROVALS_MONEY",
    kind: flag,
    ...both(false),
    doc: "true: transactions above `approvals.moneyAbove` need a second operator.",
  },
  {
    path: "approvals.moneyAbove",
    env: "LEDGER_APPROVALS_MONEY_ABOVE",
    kind: { of: "number", minimum: 0, maximum: 1_000_000_000_000 },
    ...both(10_000),
    doc: "Amount with fees and taxes in units of the currency: 10000 is 10,000 dollars or 10,000 yen.",
  },
  {
    path: "approvals.credentials",
    env: "LEDGER_APPROVALS_CREDENTIALS",
    kind: flag,
    ...both(false),
    doc: "true: new credentials and keys of other users need a second operator; revoking does not.",
  },
  {
    path: "approvals.accounts",
    env: "LEDGER_APPROVALS_ACCOUNTS",
    kind: flag,
    ...both(false),
    doc: "true: so do statuses of accounts and the mark of the institution's own accounts.",
  },
  {
    path: "approvals.validHours",
    env: "LEDGER_APPROVALS_VALID_HOURS",
    kind: integer(1, 168),
    ...both(24),
    doc: "Hours until a proposal expires.",
  },
];

function contextOf(config: Config): BankContext {
  const { given } = config;
  const approvals = omitUndefined({
    moneyAbove: given.flag("approvals.money") ? given.number("approvals.moneyAbove") : undefined,
    credentials: given.flag("approvals.credentials"),
    accounts: given.flag("approvals.accounts"),
    validHours: given.number("approvals.validHours"),
  });
  const rules = omitUndefined({
    partnerOrigin: config.endpoints.get(ledger.descriptor.name)?.origin,
    closedIsFinal: given.flag("accounts.closedIsFinal"),
    overdraft: given.choice("accounts.overdraft", "allow", "refuse"),
    closing: given.choice("accounts.closing", "any", "settled"),
    custodialTypes: given.list("accounts.custodialTypes"),
  });
  const attended = { ...rules, approvals, partnerInterface: given.choice("partner.interface", "off", "on") };
  return {
    riskScorer: shareAtRisk,
    get rules() {
      return unattended.has(config) ? rules : attended;
    },
  };
}

/** The services, by their configuration, whose demo data is being added. */
const unattended = new WeakSet<Config>();

/** Has nobody approve what is done before a service listens: there is one operator yet. */
export async function withoutApprovals<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  unattended.add(config);
  try {
    return await work();
  } finally {
    unattended.delete(config);
  }
}

/** The bank: the one place where it is put together. */
export const application: Application = defineApplication({
  name: "ledger",
  root: fileURLToPath(new URL("..", import.meta.url)),
  interfaces,
  schema,
  settings,
  context: contextOf,
  recipients,
  topics: { one: "account", all: "accountNumbers" },
  mails,
  openCaller: { userName: demoUserName, institutionId: demoInstitutionId },
});
