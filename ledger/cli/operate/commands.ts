import type { OperatorMethods } from "../../../generated/operator/client/index.ts";

/** One command: `ledger-server <resource> <verb>` calls one method of the operator interface. */
export interface OperatorCommand {
  readonly resource: string;
  readonly verb: string;
  readonly method: keyof OperatorMethods;
  /** The request field that may be given as the first argument, without a flag. */
  readonly argument?: string;
  /** The change that cannot be undone: the command asks to type the argument again. */
  readonly confirm?: string;
  /** The columns of a list; absent: all that are texts, numbers or booleans. */
  readonly columns?: readonly string[];
}

/** Shown by `ledger-server --help`. */
export const resources: Readonly<Record<string, string>> = {
  customers: "list, show and add customers",
  "legal-reps": "list, show and add people who act for a business",
  shareholders: "list, show and add shareholders of a business",
  beneficiaries: "list, show and add beneficiaries, and set their status",
  accounts: "list accounts, set an account's status or mark it as the institution's own",
  categories: "list, show and add account categories",
  sources: "list, show and add event sources",
  transactions: "list, search and record transactions, and set their status",
  credentials: "list users and their keys; issue, rotate and revoke API keys",
  keys: "register and revoke signing keys",
  subscriptions: "list subscriptions, change them, try them out",
  deliveries: "list webhooks, explain them, send them again",
  mails: "list mails that were not sent, send them again, remove them",
  proposals: "list changes that a second operator has to approve, approve and reject them",
  backlog: "show how much waits, and since when",
  audit: "list who changed what",
};

const deliveryColumns = ["deliveryId", "eventName", "groupId", "state", "attempts", "nextAttemptDate"];

/** Every method of the operator interface has one row. */
export const commands: readonly OperatorCommand[] = [
  { resource: "customers", verb: "list", method: "ListCustomers" },
  { resource: "customers", verb: "show", method: "GetCustomer", argument: "customerId" },
  { resource: "customers", verb: "add", method: "CreateCustomer" },
  {
    resource: "legal-reps",
    verb: "list",
    method: "ListLegalReps",
    argument: "customerId",
    columns: ["legalRepId", "name", "email", "phoneNumber", "status"],
  },
  { resource: "legal-reps", verb: "show", method: "GetLegalRep", argument: "legalRepId" },
  { resource: "legal-reps", verb: "add", method: "AddLegalRep" },
  {
    resource: "shareholders",
    verb: "list",
    method: "ListShareHolders",
    argument: "customerId",
    columns: ["shareHolderId", "name", "ownershipPercent", "status"],
  },
  { resource: "shareholders", verb: "show", method: "GetShareHolder", argument: "shareHolderId" },
  { resource: "shareholders", verb: "add", method: "AddShareHolder" },
  {
    resource: "beneficiaries",
    verb: "list",
    method: "ListBeneficiaries",
    argument: "accountNumber",
    columns: ["beneficiaryId", "firstName", "lastName", "accountNumber", "bankName", "status"],
  },
  { resource: "beneficiaries", verb: "show", method: "GetBeneficiary", argument: "beneficiaryId" },
  { resource: "beneficiaries", verb: "add", method: "AddBeneficiary" },
  {
    resource: "beneficiaries",
    verb: "set-status",
    method: "SetBeneficiaryStatus",
    argument: "beneficiaryId",
  },
  {
    resource: "accounts",
    verb: "list",
    method: "ListAccounts",
    columns: ["number", "name", "customerName", "status", "balance", "currency", "accountCategory"],
  },
  { resource: "accounts", verb: "show", method: "GetAccount", argument: "accountNumber" },
  { resource: "accounts", verb: "set-status", method: "SetAccountStatus", argument: "accountNumber" },
  {
    resource: "accounts",
    verb: "mark-institution",
    method: "MarkInstitutionAccount",
    argument: "accountNumber",
  },
  { resource: "categories", verb: "list", method: "ListCategories" },
  { resource: "categories", verb: "show", method: "GetCategory", argument: "name" },
  { resource: "categories", verb: "add", method: "CreateCategory", argument: "name" },
  {
    resource: "sources",
    verb: "list",
    method: "ListSources",
    columns: ["sourceId", "source", "createdDate"],
  },
  { resource: "sources", verb: "show", method: "GetSource", argument: "source" },
  { resource: "sources", verb: "add", method: "CreateSource", argument: "source" },
  {
    resource: "transactions",
    verb: "list",
    method: "ListTransactions",
    argument: "accountNumber",
    columns: ["ReferenceId", "TimeStamp", "type", "mode", "Status", "InstructedAmount"],
  },
  {
    resource: "transactions",
    verb: "search",
    method: "SearchTransactions",
    columns: ["ReferenceId", "recordedDate", "type", "Status", "InstructedAmount", "CustomerId"],
  },
  { resource: "transactions", verb: "show", method: "GetTransaction", argument: "ReferenceId" },
  { resource: "transactions", verb: "record", method: "RecordTransaction" },
  {
    resource: "transactions",
    verb: "set-status",
    method: "UpdateTransactionStatus",
    argument: "ReferenceId",
    confirm: "The transaction keeps this status: its money moves, or what it holds is free again.",
  },
  { resource: "credentials", verb: "list", method: "ListUsers" },
  { resource: "credentials", verb: "show", method: "GetUser", argument: "userName" },
  { resource: "credentials", verb: "issue", method: "IssueCredential", argument: "userName" },
  { resource: "credentials", verb: "invite", method: "InviteUser", argument: "userName" },
  { resource: "credentials", verb: "renew-invitation", method: "RenewInvitation", argument: "userName" },
  { resource: "credentials", verb: "rotate", method: "RotateCredential", argument: "userName" },
  {
    resource: "credentials",
    verb: "revoke",
    method: "RevokeCredential",
    argument: "userName",
    confirm: "The user's calls are refused at once, and with the last API key the user's subscriptions end.",
  },
  { resource: "keys", verb: "register", method: "RegisterKey", argument: "userName" },
  {
    resource: "keys",
    verb: "revoke",
    method: "RevokeKey",
    argument: "KeyId",
    confirm: "What this key signs is refused at once, and a revoked key cannot be used again.",
  },
  { resource: "keys", verb: "start-device", method: "StartDeviceRegistration", argument: "userName" },
  {
    resource: "subscriptions",
    verb: "list",
    method: "ListSubscriptions",
    columns: ["subscriptionId", "userName", "name", "callbackUrl", "enabled", "disabledReason"],
  },
  { resource: "subscriptions", verb: "show", method: "GetSubscription", argument: "subscriptionId" },
  {
    resource: "subscriptions",
    verb: "update",
    method: "UpdateSubscription",
    argument: "subscriptionId",
  },
  {
    resource: "subscriptions",
    verb: "delete",
    method: "DeleteSubscription",
    argument: "subscriptionId",
    confirm: "The subscription ends, and what it has not received yet is cancelled.",
  },
  {
    resource: "subscriptions",
    verb: "transfer",
    method: "TransferSubscription",
    argument: "subscriptionId",
  },
  {
    resource: "subscriptions",
    verb: "secret",
    method: "GetSubscriptionSecret",
    argument: "subscriptionId",
  },
  {
    resource: "subscriptions",
    verb: "rotate-secret",
    method: "RotateSubscriptionSecret",
    argument: "subscriptionId",
  },
  { resource: "subscriptions", verb: "test", method: "SendTestEvent", argument: "subscriptionId" },
  { resource: "deliveries", verb: "list", method: "ListDeliveries", columns: deliveryColumns },
  { resource: "deliveries", verb: "dead", method: "ListDeadLetters", columns: deliveryColumns },
  { resource: "deliveries", verb: "show", method: "GetDelivery", argument: "deliveryId" },
  { resource: "deliveries", verb: "notification", method: "GetNotification", argument: "deliveryId" },
  { resource: "deliveries", verb: "resend", method: "RedeliverOne", argument: "deliveryId" },
  {
    resource: "deliveries",
    verb: "resend-range",
    method: "RedeliverRange",
    argument: "subscriptionId",
  },
  {
    resource: "mails",
    verb: "list",
    method: "ListMails",
    columns: ["mailId", "kind", "userName", "legalRepId", "state", "attempts", "nextAttemptDate"],
  },
  { resource: "mails", verb: "show", method: "GetMail", argument: "mailId" },
  { resource: "mails", verb: "resend", method: "ResendMail", argument: "mailId" },
  { resource: "mails", verb: "resend-failed", method: "ResendFailedMails" },
  {
    resource: "mails",
    verb: "remove",
    method: "RemoveMail",
    argument: "mailId",
    confirm: "The mail is not sent, and what it says is lost.",
  },
  {
    resource: "proposals",
    verb: "list",
    method: "ListProposals",
    columns: ["proposalId", "operation", "proposedBy", "state", "expiryDate", "note"],
  },
  { resource: "proposals", verb: "show", method: "GetProposal", argument: "proposalId" },
  { resource: "proposals", verb: "add", method: "ProposeChange", argument: "operation" },
  { resource: "proposals", verb: "approve", method: "ApproveProposal", argument: "proposalId" },
  { resource: "proposals", verb: "reject", method: "RejectProposal", argument: "proposalId" },
  { resource: "backlog", verb: "show", method: "GetBacklog" },
  {
    resource: "audit",
    verb: "list",
    method: "ListAudit",
    columns: ["sequence", "changedDate", "operation", "subject", "subjectId", "actor"],
  },
];
