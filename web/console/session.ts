import type {
  AdminClient,
  AdminMethods,
  GetMailResult,
  GetUserResult,
  ListAuditPayload,
  ListAuditResult,
  ListMailsPayload,
  ListUsersPayload,
  Mail,
  UserSummary,
} from "../../generated/admin/client/index.ts";
import { isRefused } from "../shared/failure.ts";
import { operationButton, type FormSession, type OperationButton } from "../shared/operation-button.ts";
import type { ContextOf, PageOf } from "../shared/page.ts";
import type { SignedIn } from "../shared/site.ts";

/** The lists and details that pages read by the client's own methods. */
type Read = "getDelivery" | "getNotification" | "getSubscription" | "listDeliveries" | "listSubscriptions";

/**
 * The calls of the pages: the client of any interface that extends administration makes them. Users and mails may say more
 * there. Methods, not functions: an interface may take fewer values than administration does.
 */
export interface AdminCalls<User, OwnMail>
  extends Pick<AdminClient, Read>, NonNullable<FormSession<AdminMethods>["client"]> {
  listUsers(query: ListUsersPayload): Promise<{ readonly users: readonly User[]; readonly next?: string }>;
  getUser(query: {
    readonly userName: string;
  }): Promise<Omit<GetUserResult, "user"> & { readonly user: User }>;
  listMails(query: ListMailsPayload): Promise<{ readonly mails: readonly OwnMail[] }>;
  getMail(query: {
    readonly mailId: string;
  }): Promise<Omit<GetMailResult, "mail"> & { readonly mail: OwnMail }>;
  listAudit(query: ListAuditPayload): Promise<ListAuditResult>;
}

/** An operator who has signed in. */
export interface Session<User extends UserSummary = UserSummary, OwnMail extends Mail = Mail>
  extends FormSession<AdminMethods>, SignedIn {
  readonly client: AdminCalls<User, OwnMail>;
  /** What the application calls the topics of its events. */
  readonly topics: string;
}

/** The context of a page of the console. */
export type PageContext = ContextOf<Session>;

/** One page of the console. */
export type ConsolePage = PageOf<Session>;

/** A button that opens the form of an operation. */
export const actionButton: OperationButton<AdminMethods> = operationButton;

/** What an operator may call. Absent where the operator may not read that: the service takes the caller all the same. */
export async function scopesOf(
  client: Pick<Session["client"], "getUser">,
  userName: string,
): Promise<readonly string[] | undefined> {
  try {
    return (await client.getUser({ userName })).user.scopes;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}
