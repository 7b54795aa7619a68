import { patch, type Fault } from "../fault.ts";

const ledger = "runtime/handlers/ledger";
const status = `${ledger}/account-service/update-account-status.ts`;
const statusChange = "runtime/handlers/services/account-status.ts";
const category = `${ledger}/account-service/update-account-category.ts`;
const list = `${ledger}/account-service/list-accounts.ts`;
const beneficiaries = `${ledger}/account-service/list-beneficiary.ts`;
const addAccount = `${ledger}/customer-service/add-account.ts`;
const updateCustomer = `${ledger}/customer-service/update-customer.ts`;
const shareHolder = `${ledger}/customer-service/update-share-holder.ts`;
const legalRep = `${ledger}/customer-service/update-legal-rep-status.ts`;
const login = `${ledger}/customer-service/create-legal-rep-login.ts`;
const device = `${ledger}/key-service/complete-register-device.ts`;
const subscription = `${ledger}/create-subscription.ts`;
const source = `${ledger}/get-source.ts`;
const account = "runtime/handlers/presenters/account.ts";
const dispatch = "runtime/pipeline/dispatch/dispatch.ts";
const answers = "runtime/pipeline/dispatch/idempotency-records.ts";

export const handlerFaults: readonly Fault[] = [
  // What is opened, read and changed.
  {
    id: "status-not-kept",
    layer: "handlers",
    says: "A new status is answered and not kept.",
    patches: patch(statusChange, "await context.store.accounts.replace(changed);", ""),
  },
  {
    id: "former-status-answered",
    layer: "handlers",
    says: "UpdateAccountStatus answers the status that was.",
    patches: patch(status, "Status: payload.status,", "Status: account.status,"),
  },
  {
    id: "closed-is-final",
    layer: "handlers",
    says: "A closed account stays closed.",
    options: (options) => ({
      ...options,
      ports: { ...options.ports, policy: { ...options.ports.policy, closedIsFinal: true } },
    }),
  },
  {
    id: "same-status-conflicts",
    layer: "handlers",
    says: "Asking for the present status is a CONFLICT.",
    patches: patch(
      statusChange,
      'if (change === "closed-is-final")',
      'if (change === "none") throw context.error("CONFLICT", { field: "/status" });\n  if (change === "closed-is-final")',
    ),
  },
  {
    id: "category-not-kept",
    layer: "handlers",
    says: "A new category is not kept.",
    patches: patch(category, "await store.accounts.replace(changed);", "clock.now();"),
  },
  {
    id: "any-category",
    layer: "handlers",
    says: "A category that nobody defined is taken.",
    patches: patch(
      category,
      'if (category === undefined) throw context.error("NOT_FOUND_CATEGORY", { field: "/AccountCategory" });',
      'if (category === undefined) return { Message: "Account category updated successfully" };',
    ),
  },
  {
    id: "category-changes-status",
    layer: "handlers",
    says: "Another category makes an account CREATED.",
    patches: patch(
      category,
      "{ ...account, category: category.name,",
      '{ ...account, status: "CREATED", category: category.name,',
    ),
  },
  {
    id: "opened-as-created",
    layer: "handlers",
    says: "A new account is read as CREATED.",
    patches: patch("runtime/handlers/services/new-account.ts", 'status: "ACTIVE",', 'status: "CREATED",'),
  },
  {
    id: "other-type-opened",
    layer: "handlers",
    says: "A WALLET is opened as CHECKING.",
    patches: patch(
      addAccount,
      "type: payload.accountType,",
      'type: payload.accountType === "WALLET" ? "CHECKING" : payload.accountType,',
    ),
  },
  {
    id: "name-of-customer",
    layer: "handlers",
    says: "A new account has the name of its customer.",
    patches: patch(addAccount, "name: payload.name,", "name: customer.name,"),
  },
  {
    id: "legal-reps-lost",
    layer: "handlers",
    says: "Legal representatives of a new account are lost.",
    patches: patch(addAccount, "    legalRepIds,\n", ""),
  },
  {
    id: "legal-reps-of-anybody",
    layer: "handlers",
    says: "Legal representatives of other customers operate an account.",
    patches: patch(
      addAccount,
      "if (legalRep?.customerId !== customer.id) {",
      "if (legalRep === undefined) {",
    ),
  },
  {
    id: "only-first-legal-rep-checked",
    layer: "handlers",
    says: "Only the first legal representative is looked up.",
    patches: patch(addAccount, "of legalReps.entries()) {", "of legalReps.slice(0, 1).entries()) {"),
  },
  {
    id: "consumer-with-legal-reps",
    layer: "handlers",
    says: "A consumer's account may have legal representatives.",
    patches: patch(
      addAccount,
      'if (customer.type === "CONSUMER") {',
      'if (customer.type === "CONSUMER") return [];\n  if (legalReps.length > 1000) {',
    ),
  },
  {
    id: "parent-lost",
    layer: "handlers",
    says: "The pool of a new account is lost.",
    patches: patch(
      addAccount,
      "parentId: parent.id,",
      'parentId: (await generalLedgerAccount(context, "clearing", payload.currency)).id,',
    ),
  },
  {
    id: "unknown-pool",
    layer: "handlers",
    says: "A pool that does not exist is passed over.",
    patches: patch(
      addAccount,
      'if (pool === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field });',
      "if (pool === undefined) return undefined;",
    ),
  },
  {
    id: "unknown-custodian",
    layer: "handlers",
    says: "A custodial account is held for nobody.",
    patches: patch(
      addAccount,
      'if (beneficiary === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/CustodialCustomerId" });',
      "if (beneficiary === undefined) return { custodialType };",
    ),
  },
  {
    id: "any-currency",
    layer: "handlers",
    says: "A currency that does not exist is taken for dollars.",
    patches: patch(
      addAccount,
      "assertInput(payload, context);",
      'if (currencyOf(payload.currency) === undefined) payload = { ...payload, currency: "USD" };\n  assertInput(payload, context);',
    ),
  },
  {
    id: "unknown-customer-is-input",
    layer: "handlers",
    says: "An unknown customer is BAD_INPUT.",
    patches: patch(
      addAccount,
      'throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerID" })',
      'throw context.error("BAD_INPUT", { field: "/customerID" })',
    ),
  },
  {
    id: "number-as-identifier",
    layer: "handlers",
    says: "GetAccount takes the number of an account too.",
    patches: patch(
      `${ledger}/account-service/get-account.ts`,
      "const account = await visible(context).account(payload.ID);",
      "const account = (await visible(context).account(payload.ID)) ?? (await visible(context).accountByNumber(payload.ID));",
    ),
  },
  {
    id: "closed-flag-lost",
    layer: "handlers",
    says: "isClosed is never true.",
    patches: patch(account, 'isClosed: account.status === "CLOSED",', "isClosed: false,"),
  },
  {
    id: "debit-always",
    layer: "handlers",
    says: "debit is always true.",
    patches: patch(account, 'debit: movementsAllowed[account.status].includes("debit"),', "debit: true,"),
  },
  {
    id: "wrong-customer-name",
    layer: "handlers",
    says: "customerName is empty.",
    patches: patch(account, "customerName: around.customerName,", 'customerName: "",'),
  },
  {
    id: "summary-of-another-name",
    layer: "handlers",
    says: "Account summaries have the customer's name.",
    patches: patch(
      "runtime/handlers/presenters/account-summary.ts",
      "name: account.name,",
      "name: customerName,",
    ),
  },
  // Customers and who acts for them.
  {
    id: "customer-update-not-kept",
    layer: "handlers",
    says: "An update of a customer is answered and not kept.",
    patches: patch(updateCustomer, "await context.store.customers.replace(updated);", ""),
  },
  {
    id: "absent-is-empty",
    layer: "handlers",
    says: "What an update of a customer leaves out is removed.",
    patches: patch(
      updateCustomer,
      "    ...given({\n      dateEstablished: payload.dateEstablished,",
      "    ...({\n      dateEstablished: payload.dateEstablished,",
    ),
  },
  {
    id: "address-replaced",
    layer: "handlers",
    says: "An update of an address replaces all of it.",
    patches: patch(
      updateCustomer,
      "address: { ...customer.address, ...payload.address },",
      "address: payload.address ?? customer.address,",
    ),
  },
  {
    id: "contact-lost",
    layer: "handlers",
    says: "An update without contact removes it.",
    patches: patch(
      updateCustomer,
      "contact: { ...customer.contact, ...payload.contact },",
      "contact: { ...payload.contact },",
    ),
  },
  {
    id: "creation-time-moves",
    layer: "handlers",
    says: "An update changes createdDate.",
    patches: patch(
      updateCustomer,
      "updatedAt: context.clock.now(),",
      "createdAt: context.clock.now(),\n    updatedAt: context.clock.now(),",
    ),
  },
  {
    id: "projection-rounded",
    layer: "handlers",
    says: "Amounts of a projection are rounded.",
    patches: patch(
      "runtime/handlers/presenters/business-customer.ts",
      "moneyDecimal({ amountMinor, currency });",
      "moneyDecimal({ amountMinor: (amountMinor / 100n) * 100n, currency });",
    ),
  },
  {
    id: "projection-any-decimals",
    layer: "handlers",
    says: "A projection may have more decimals than its currency.",
    patches: patch(
      "runtime/handlers/services/monthly-projection.ts",
      "return moneyField(context, amount, currency, fields);",
      "try { return moneyField(context, amount, currency, fields); } catch { return given({ currency, amountMinor: stored?.amountMinor }); }",
    ),
  },
  {
    id: "shareholder-enabled",
    layer: "handlers",
    says: "An update without Status enables a shareholder.",
    patches: patch(shareHolder, "status: payload.Status,", 'status: payload.Status ?? "ENABLED",'),
  },
  {
    id: "shareholder-name-not-kept",
    layer: "handlers",
    says: "A shareholder's new name is not answered.",
    patches: patch(shareHolder, "Name: updated.name,", "Name: shareHolder.name,"),
  },
  {
    id: "email-lost",
    layer: "handlers",
    says: "An update without email removes it.",
    patches: patch(
      shareHolder,
      "contact: { ...shareHolder.contact, ...payload.contact },",
      "contact: payload.contact,",
    ),
  },
  {
    id: "shareholder-of-anybody",
    layer: "handlers",
    says: "A shareholder is updated under any customer.",
    patches: patch(
      shareHolder,
      "if (shareHolder?.customerId !== customer.id) {",
      "if (shareHolder === undefined) {",
    ),
  },
  {
    id: "legal-rep-status-ignored",
    layer: "handlers",
    says: "A legal representative stays as it was.",
    patches: patch(legalRep, "{ ...stored, status: payload.Status, updatedAt", "{ ...stored, updatedAt"),
  },
  {
    id: "password-in-answer",
    layer: "handlers",
    says: "The portal's password is in the answer.",
    patches: patch(
      login,
      'message: "Login credentials have been sent by e-mail"',
      "message: `Your password is ${password}`",
    ),
  },
  {
    id: "no-portal-mail",
    layer: "mail",
    says: "The portal's login is not mailed.",
    patches: patch(
      login,
      "await context.mail.queue({",
      "if (legalRep === undefined) await context.mail.queue({",
    ),
  },
  // Beneficiaries and sources.
  {
    id: "beneficiaries-of-all-reps",
    layer: "handlers",
    says: "Beneficiaries of every legal representative are listed.",
    patches: patch(
      beneficiaries,
      "return { beneficiarys: beneficiaries.map(beneficiaryOf) };",
      "const others = await Promise.all((await context.store.legalReps.findMany(account.institutionId, account.legalRepIds)).map((rep) => context.store.beneficiaries.list(account.institutionId, account.id, rep.id)));\n  return { beneficiarys: [...new Map([...beneficiaries, ...others.flat()].map((each) => [each.id, each])).values()].map(beneficiaryOf) };",
    ),
  },
  {
    id: "beneficiaries-of-unknown-account",
    layer: "handlers",
    says: "An unknown account has no beneficiaries, rather than NOT_FOUND_ACCOUNT.",
    patches: patch(
      beneficiaries,
      'if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/ID" });',
      "if (account === undefined) return { beneficiarys: [] };",
    ),
  },
  {
    id: "newest-beneficiary-first",
    layer: "handlers",
    says: "Beneficiaries are listed newest first.",
    patches: patch(
      beneficiaries,
      "beneficiaries.map(beneficiaryOf)",
      "beneficiaries.toReversed().map(beneficiaryOf)",
    ),
  },
  {
    id: "first-beneficiary-only",
    layer: "handlers",
    says: "Only one beneficiary is listed.",
    patches: patch(
      beneficiaries,
      "beneficiaries.map(beneficiaryOf)",
      "beneficiaries.slice(0, 1).map(beneficiaryOf)",
    ),
  },
  {
    id: "beneficiary-always-active",
    layer: "handlers",
    says: "A beneficiary is always ACTIVE.",
    patches: patch(
      "runtime/handlers/presenters/beneficiary.ts",
      "status: beneficiary.status,",
      'status: "ACTIVE",',
    ),
  },
  {
    id: "source-by-either",
    layer: "handlers",
    says: "A source's name and identifier need not agree.",
    patches: patch(source, "byName?.id !== byId?.id", "byName === byId && byName === undefined"),
  },
  {
    id: "source-by-name-only",
    layer: "handlers",
    says: "A source's identifier is passed over.",
    patches: patch(
      source,
      "payload.id === undefined ? undefined : await store.sources.find(caller.institutionId, payload.id);",
      "payload.id === undefined || payload.source === undefined ? undefined : await store.sources.find(caller.institutionId, payload.id);",
    ),
  },
  // Lists.
  {
    id: "page-off-by-one",
    layer: "handlers",
    says: "Pages are counted from 0.",
    patches: patch(list, "((payload.PageNumber ?? 1) - 1) * limit", "(payload.PageNumber ?? 0) * limit"),
  },
  {
    id: "pages-overlap",
    layer: "handlers",
    says: "A page begins with the last account of the one before.",
    patches: patch(
      list,
      "((payload.PageNumber ?? 1) - 1) * limit",
      "Math.max(0, ((payload.PageNumber ?? 1) - 1) * limit - 1)",
    ),
  },
  {
    id: "no-size-cap",
    layer: "handlers",
    says: "Pages may have more than 100 accounts.",
    patches: patch(
      list,
      "Math.min(payload.PageSize ?? pageSize.standard, pageSize.max)",
      "payload.PageSize ?? pageSize.standard",
    ),
  },
  {
    id: "smaller-size-cap",
    layer: "handlers",
    says: "Pages have at most 50 accounts.",
    patches: patch(list, "max: 100", "max: 50"),
  },
  {
    id: "other-standard-size",
    layer: "handlers",
    says: "A page has 20 accounts where no size is given.",
    patches: patch(list, "standard: 15", "standard: 20"),
  },
  {
    id: "oversized-page-refused",
    layer: "handlers",
    says: "A page size above 100 is refused.",
    patches: patch(
      list,
      "const limit = ",
      'if ((payload.PageSize ?? 0) > 100) throw context.error("BAD_INPUT", { field: "/PageSize" });\n  const limit = ',
    ),
  },
  {
    id: "offset-by-asked-size",
    layer: "handlers",
    says: "The page after 100 accounts begins where the size asked for ends.",
    patches: patch(
      list,
      "((payload.PageNumber ?? 1) - 1) * limit",
      "((payload.PageNumber ?? 1) - 1) * (payload.PageSize ?? limit)",
    ),
  },
  {
    id: "filter-ignored",
    layer: "handlers",
    says: "Filters select everything.",
    patches: patch(list, "condition: filter.value", "condition: undefined"),
  },
  {
    id: "filter-mistakes-ignored",
    layer: "handlers",
    says: "A filter with a mistake selects everything.",
    patches: patch(
      list,
      "if (!filter.ok) {",
      "if (!filter.ok) return { accounts: [], riskScore: 0 };\n  if (!filter.ok) {",
    ),
  },
  {
    id: "filter-without-column",
    layer: "handlers",
    says: "A mistake in a filter is told without its column.",
    patches: patch(list, "data: { column, message }", "data: { message: `${message} ${column}` }"),
  },
  // Registration.
  {
    id: "otp-reusable",
    layer: "handlers",
    says: "A one-time password works twice.",
    patches: patch(
      device,
      "await store.registrations.replace({ ...registration, usedAt: clock.now() });",
      "",
    ),
  },
  {
    id: "otp-ignored",
    layer: "handlers",
    says: "Any one-time password works.",
    patches: patch(device, "|| !matches)", ")"),
  },
  {
    id: "otp-tries-unlimited",
    layer: "handlers",
    says: "A token takes any number of tries.",
    patches: patch(device, "registration.failures < limits.triesPerToken &&", ""),
  },
  {
    id: "otp-tries-not-counted",
    layer: "handlers",
    says: "Failures are not kept, because the call fails.",
    patches: patch(device, "context.commitOnFailure();", ""),
  },
  {
    id: "otp-lock-missing",
    layer: "handlers",
    says: "Ten failures lock nobody.",
    patches: patch(
      device,
      "const locks = failures >= limits.consecutiveFailures;",
      "const locks = failures >= 1000;",
    ),
  },
  {
    id: "otp-count-reset",
    layer: "handlers",
    says: "Another registration resets the count of failures.",
    patches: patch(
      "runtime/handlers/operator/start-device-registration.ts",
      "await store.registrations.insert({",
      "await store.users.replace({ ...user, otpFailures: 0 });\n  await store.registrations.insert({",
    ),
  },
  {
    id: "otp-of-anybody",
    layer: "handlers",
    says: "A registration works for any user.",
    patches: [
      ...patch(device, "registration.userName === user.userName &&\n", "\n"),
      ...patch(device, "|| payload.UserName !== user.userName ", ""),
    ],
  },
  {
    id: "user-name-ignored",
    layer: "handlers",
    says: "UserName of CompleteRegisterDevice is not compared.",
    patches: patch(device, "|| payload.UserName !== user.userName ", ""),
  },
  {
    id: "otp-failures-differ",
    layer: "handlers",
    says: "An unknown token is answered otherwise than a wrong one-time password.",
    patches: patch(
      device,
      'throw context.error("INVALID_OTP");',
      'throw context.error(registration === undefined ? "UNAUTHORIZED" : "INVALID_OTP");',
    ),
  },
  {
    id: "unfit-keys",
    layer: "handlers",
    says: "A public key that is none is registered.",
    patches: patch(
      device,
      "if (publicKeyPem !== undefined && readPublicKey(publicKeyPem) === undefined) {",
      'if (publicKeyPem === "") {',
    ),
  },
  {
    id: "other-curves",
    layer: "handlers",
    says: "A public key may be of any kind.",
    patches: patch(
      "runtime/signing/public-key.ts",
      "if (der?.length !== derBytes || !der.subarray(0, derHead.length).equals(derHead)) return undefined;",
      "if (der === undefined) return undefined;",
    ),
  },
  {
    id: "device-key-lost",
    layer: "handlers",
    says: "The key of a registered device is not known.",
    patches: patch(
      device,
      'status: publicKeyPem === undefined ? "PENDING" : "ACTIVE",',
      'status: "PENDING",',
    ),
  },
  // Subscriptions.
  {
    id: "unknown-accounts-subscribed",
    layer: "handlers",
    says: "A subscription may name accounts that do not exist.",
    patches: patch(
      subscription,
      "if (account === undefined) throw",
      "if (account === undefined && number.length > 100) throw",
    ),
  },
  {
    id: "only-first-account-checked",
    layer: "handlers",
    says: "Only the first account of a subscription is looked up.",
    patches: patch(
      subscription,
      "of payload.groupId.entries()) {",
      "of payload.groupId.slice(0, 1).entries()) {",
    ),
  },
  {
    id: "internal-callbacks",
    layer: "handlers",
    says: "Internal addresses are taken as callbacks.",
    patches: patch(
      "runtime/domain/callback-address.ts",
      'if (isIP(address) !== 0 && !isDialable(address, rules.callbackNetworksAllowed)) return refused("network");',
      "",
    ),
  },
  {
    id: "metadata-callbacks",
    layer: "handlers",
    says: "Link-local addresses are taken as callbacks.",
    patches: patch("runtime/domain/callback-address.ts", "127.0.0.0/8 169.254.0.0/16 ", "127.0.0.0/8 "),
  },
  // Repetition.
  {
    id: "not-idempotent",
    layer: "handlers",
    says: "A repeated AddAccount opens another account.",
    patches: patch(
      dispatch,
      'target.effect === "create" ? requestHashOf(',
      'target.effect === "create" && call.method.name !== "CustomerService.AddAccount" ? requestHashOf(',
    ),
  },
  {
    id: "flat-not-idempotent",
    layer: "handlers",
    says: "A repeated flat body makes another subscription.",
    patches: patch(
      dispatch,
      'target.effect === "create" ? requestHashOf(',
      'target.effect === "create" && call.envelope.kind !== "flat" ? requestHashOf(',
    ),
  },
  {
    id: "repetition-by-id-alone",
    layer: "handlers",
    says: "Another payload under the same id gets the first answer.",
    patches: patch(answers, ".update(canonicalBytes(envelope.payload))", ""),
  },
  {
    id: "repetition-by-payload-alone",
    layer: "handlers",
    says: "The same payload under another id gets the first answer.",
    patches: patch(
      answers,
      "identity, requestIdentity]",
      'identity, envelope.kind === "flat" ? requestIdentity : ""]',
    ),
  },
  {
    id: "repetition-of-anybody",
    layer: "handlers",
    says: "A repetition by another user gets the first user's answer.",
    patches: patch(
      answers,
      '[interfaceName, caller.userName, caller.keyId ?? "", identity, requestIdentity]',
      "[interfaceName, identity, requestIdentity]",
    ),
  },
  {
    id: "reads-remembered",
    layer: "handlers",
    says: "Reads are answered from memory.",
    patches: patch(
      dispatch,
      "return async (call) => {",
      'const remembered = new Map<string, Promise<string>>();\n  return async (call) => {\n    if (call.method.name === "AccountService.GetAccount") { const key = JSON.stringify([call.payload, call.caller]); const known = remembered.get(key) ?? read(call); remembered.set(key, known); known.catch(() => remembered.delete(key)); return known; }',
    ),
  },
];
