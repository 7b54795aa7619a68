import { operatorInterface } from "../../../generated/operator/methods.ts";
import type { OperatorHandlers } from "../../../generated/operator/handlers.ts";
import { proposalHandlers } from "../../../runtime/operations/admin/index.ts";
import { payloadReader } from "../../../runtime/protocol/signed-envelope/index.ts";
import type { AnyHandler } from "../../../runtime/service/index.ts";
import type { Contexts } from "../operator/contexts.ts";
import { inviteUser } from "../operator/invite-user.ts";
import { issueCredential } from "../operator/issue-credential.ts";
import { markInstitutionAccount } from "../operator/mark-institution-account.ts";
import { recordTransaction } from "../operator/record-transaction.ts";
import { registerKey } from "../operator/register-key.ts";
import { renewInvitation } from "../operator/renew-invitation.ts";
import { rotateCredential } from "../operator/rotate-credential.ts";
import { setAccountStatus } from "../operator/set-account-status.ts";
import { startDeviceRegistration } from "../operator/start-device-registration.ts";
import { updateTransactionStatus } from "../operator/update-transaction-status.ts";

const operations = {
  InviteUser: inviteUser,
  IssueCredential: issueCredential,
  MarkInstitutionAccount: markInstitutionAccount,
  RecordTransaction: recordTransaction,
  RegisterKey: registerKey,
  RenewInvitation: renewInvitation,
  RotateCredential: rotateCredential,
  SetAccountStatus: setAccountStatus,
  StartDeviceRegistration: startDeviceRegistration,
  UpdateTransactionStatus: updateTransactionStatus,
} satisfies Partial<OperatorHandlers<Contexts>>;

const hourMs = 3_600_000;
const standardHours = 24;

/** The changes that one operator proposes and another one approves, for the bank's operations. */
export const proposed = proposalHandlers<Contexts["write"]>({
  operations: new Map<string, AnyHandler>(Object.entries(operations)),
  readPayload: payloadReader(operatorInterface),
  validMs: ({ rules }) => (rules.approvals?.validHours ?? standardHours) * hourMs,
});
