import { inResults, patch, type Fault } from "../fault.ts";
import { withValidator } from "../method-changes.ts";

const handlers = "runtime/handlers/ledger";
const notification = "runtime/delivery/signing/notification.ts";
const signing = "runtime/auth/caller-cache.ts";

/**
 * Faults that were thought of after the suite had its first score, and tried before anything of the suite was changed
 * for them: what share of faults that nobody had in mind the suite catches. Aimed at what it might not look at, 9 of 35
 * were caught then; what the others showed was missing is tried since, for all operations that it is about.
 */
export const heldOutFaults: readonly Fault[] = [
  {
    id: "legal-rep-twice",
    layer: "handlers",
    says: "A legal representative who is named twice operates the account twice.",
    patches: [
      ...patch(
        `${handlers}/customer-service/add-account.ts`,
        "return [...new Set(legalReps.map((legalRep) => legalRep.ID))];",
        "return legalReps.map((legalRep) => legalRep.ID);",
      ),
      ...patch(
        `${handlers}/account-service/get-account.ts`,
        "legalRepIds.length === 0 ? [] : store.legalReps.findMany(institutionId, legalRepIds),",
        "Promise.all(legalRepIds.map((id) => store.legalReps.find(institutionId, id))).then((all) => all.filter((each) => each !== undefined)),",
      ),
    ],
  },
  {
    id: "address-of-nobody",
    layer: "handlers",
    says: "A new account has not the address of its customer.",
    patches: patch(
      `${handlers}/customer-service/add-account.ts`,
      "address: customer.address,",
      'address: { city: "Nowhere" },',
    ),
  },
  {
    id: "parent-without-code",
    layer: "encode",
    says: "The parent of an account has its number as code.",
    patches: patch(
      "runtime/handlers/presenters/account.ts",
      "code: parent.subLedgerCode,",
      "code: parent.number,",
    ),
  },
  {
    id: "status-change-not-dated",
    layer: "handlers",
    says: "A change of status leaves updatedDate as it was.",
    patches: patch(
      "runtime/handlers/services/account-status.ts",
      "status, updatedAt: context.clock.now() };",
      "status };",
    ),
  },
  {
    id: "category-change-not-dated",
    layer: "handlers",
    says: "Another category leaves updatedDate as it was.",
    patches: patch(
      `${handlers}/account-service/update-account-category.ts`,
      "category: category.name, updatedAt: clock.now() }",
      "category: category.name }",
    ),
  },
  {
    id: "customer-change-not-dated",
    layer: "handlers",
    says: "An update of a customer leaves updatedDate as it was.",
    patches: patch(
      `${handlers}/customer-service/update-customer.ts`,
      "updatedAt: context.clock.now(),",
      "updatedAt: customer.updatedAt,",
    ),
  },
  {
    id: "portal-mail-to-customer",
    layer: "mail",
    says: "The portal's login is mailed to somebody else.",
    patches: patch(
      `${handlers}/customer-service/create-legal-rep-login.ts`,
      "to: legalRep.email,",
      'to: "office@elsewhere.example",',
    ),
  },
  {
    id: "same-portal-password",
    layer: "handlers",
    says: "Every login for the portal has the same password.",
    patches: patch(
      "runtime/handlers/services/portal-login.ts",
      "const password = base32(ids.bytes(lengths.passwordBytes)).toLowerCase();",
      'const password = "abcdefghijklmnop";',
    ),
  },
  {
    id: "predictable-password",
    layer: "handlers",
    says: "One-time passwords are all the same.",
    patches: patch("runtime/handlers/services/one-time-password.ts", ".integer(10 ** digits)", ".integer(1)"),
  },
  {
    id: "six-tries",
    layer: "handlers",
    says: "A token takes six tries.",
    patches: patch("runtime/domain/one-time-password.ts", "triesPerToken: 5", "triesPerToken: 6"),
  },
  {
    id: "lock-after-eleven",
    layer: "handlers",
    says: "Eleven failures lock a user, not ten.",
    patches: patch(
      "runtime/domain/one-time-password.ts",
      "consecutiveFailures: 10",
      "consecutiveFailures: 11",
    ),
  },
  {
    id: "success-keeps-failures",
    layer: "handlers",
    says: "A successful registration does not end a row of failures.",
    patches: patch(
      `${handlers}/key-service/complete-register-device.ts`,
      "await store.users.replace(withoutFailures(user));",
      "void withoutFailures;",
    ),
  },
  {
    id: "webhook-id-of-its-own",
    layer: "events",
    says: "webhook-id is not the eventId.",
    patches: [
      ...patch(
        "runtime/delivery/signing/webhook-signature.ts",
        "return `${id}.${timestampOf(timeMs)}.`;",
        "return `${id}-${timeMs}.${timestampOf(timeMs)}.`;",
      ),
      ...patch(
        "runtime/delivery/signing/webhook-signature.ts",
        '"webhook-id",\n    id,',
        '"webhook-id",\n    `${id}-${timeMs}`,',
      ),
    ],
  },
  {
    id: "event-of-long-ago",
    layer: "events",
    says: "The timestamp of a notification is not when it happened.",
    patches: patch(
      notification,
      "new Date(event.createdAt).toISOString()",
      "new Date(event.createdAt - 86_400_000).toISOString()",
    ),
  },
  {
    id: "event-without-source",
    layer: "events",
    says: "The source of a notification is empty.",
    patches: patch(notification, "source: event.source,", 'source: "",'),
  },
  {
    id: "other-side-in-group",
    layer: "events",
    says: "groupId has the accounts of a transaction that the subscriber did not name.",
    patches: patch(
      "runtime/delivery/outbox/recipients.ts",
      "accountNumbers: numbersToShow(event, numbers)",
      "accountNumbers: [...new Set([...numbersToShow(event, numbers), ...event.accountNumbers])]",
    ),
  },
  {
    id: "private-keys-shown",
    layer: "events",
    says: "The key set holds private keys.",
    patches: patch(
      "runtime/http/key-set.ts",
      "const body = JSON.stringify(await keySet());",
      'const body = JSON.stringify(await keySet()).replaceAll(\'"kty":\', \'"d":"c2VjcmV0","kty":\');',
    ),
  },
  {
    id: "overdrawn-is-no-risk",
    layer: "domain",
    says: "Overdrawn accounts are no risk.",
    patches: patch(
      "runtime/domain/risk-scorer.ts",
      " || availableMinor(account) < 0n;",
      " || availableMinor(account) < -(10n ** 30n);",
    ),
  },
  {
    id: "prefix-is-anywhere",
    layer: "storage",
    says: "A trailing * matches in the middle of a text.",
    patches: patch(
      "runtime/storage/sql/account-condition.ts",
      "return `(${column} >= ${bound(value)}${upTo})`;",
      "return `(instr(${column}, ${bound(value)}) > 0 OR 1 = 0${upTo.slice(0, 0)})`;",
    ),
  },
  {
    id: "fractional-pages",
    layer: "validate",
    says: "A page number may have a fraction.",
    options: withValidator("AccountService.ListAccounts", (errors) =>
      errors.filter(({ instancePath, keyword }) => !(instancePath === "/PageNumber" && keyword === "type")),
    ),
  },
  {
    id: "no-events-subscribed",
    layer: "validate",
    says: "A subscription may have no events.",
    options: withValidator("CreateSubscription", (errors) =>
      errors.filter(({ instancePath, keyword }) => !(instancePath === "/events" && keyword === "minItems")),
    ),
  },
  {
    id: "any-identification",
    layer: "validate",
    says: "A shareholder's identification may be of any type.",
    options: withValidator("CustomerService.UpdateShareHolder", (errors) =>
      errors.filter(({ instancePath }) => instancePath !== "/identification/type"),
    ),
  },
  {
    id: "user-name-ignores-case",
    layer: "authenticate",
    says: "User names match ignoring case.",
    patches: patch(
      "runtime/auth/caller-cache.ts",
      "async function loadPrincipal(view: StoreView, userName: string): Promise<Principal | undefined> {",
      "async function loadPrincipal(view: StoreView, sent: string): Promise<Principal | undefined> {\n  const userName = sent.toLowerCase();",
    ),
  },
  {
    id: "api-key-ignores-case",
    layer: "authenticate",
    says: "API keys match ignoring case.",
    patches: patch(
      "runtime/auth/signed-envelope/credential.ts",
      'const sent = hash("sha256", apiKey, "buffer");',
      'const sent = hash("sha256", apiKey.toLowerCase(), "buffer");',
    ),
  },
  {
    id: "signature-remembered",
    layer: "authenticate",
    says: "A signature that verified once is taken for any other payload.",
    patches: patch(
      "runtime/signing/verifier.ts",
      '    return verify("sha256", bytes, key, signature);\n  } catch {',
      '    const text = Buffer.from(signature).toString("hex");\n    const known = ((globalThis as Record<string, unknown>)["known"] ??= new Set<string>()) as Set<string>;\n    if (known.has(text)) return true;\n    const valid = verify("sha256", bytes, key, signature);\n    if (valid) known.add(text);\n    return valid;\n  } catch {',
    ),
  },
  {
    id: "keys-ignore-case",
    layer: "authenticate",
    says: "Key identifiers match ignoring case.",
    patches: patch(
      signing,
      "await view.deviceKeys.find(keyId);",
      "(await view.deviceKeys.find(keyId)) ?? (await view.deviceKeys.find(keyId.toUpperCase()));",
    ),
  },
  {
    id: "inner-duplicates",
    layer: "decode",
    says: "A name may be twice in an object within the payload.",
    patches: patch(
      "runtime/pipeline/decode/scan-value.ts",
      "const name = takeName(cursor, names, at, nameEnd);",
      "const name = takeName(cursor, depth > 4 ? createNames() : names, at, nameEnd);",
    ),
  },
  {
    id: "objects-any-depth",
    layer: "decode",
    says: "Only arrays are counted as levels.",
    patches: patch(
      "runtime/pipeline/decode/scan-value.ts",
      'return depth > depthMax ? fail(cursor, "too-deep", at) : scanObject(cursor, at, depth, place);',
      "return scanObject(cursor, at, depth, place);",
    ),
  },
  {
    id: "repetition-by-bytes",
    layer: "handlers",
    says: "A repeated AddAccount whose payload is written otherwise opens another account.",
    patches: patch(
      "runtime/pipeline/dispatch/idempotency-records.ts",
      ".update(canonicalBytes(envelope.payload))",
      '.update(envelope.kind === "enveloped" ? envelope.payloadBytes : canonicalBytes(envelope.payload))',
    ),
  },
  {
    id: "long-texts-cut",
    layer: "storage",
    says: "Texts are cut at 300 characters.",
    patches: patch(
      "runtime/storage/tables/column.ts",
      '    optional: false,\n    encode: (value) => wellFormed(name, value),\n    decode: (value) => (typeof value === "string" ? value : unreadable(name)),',
      '    optional: false,\n    encode: (value) => wellFormed(name, name === "name" ? Array.from(value).slice(0, 300).join("") : value),\n    decode: (value) => (typeof value === "string" ? value : unreadable(name)),',
    ),
  },
  {
    id: "path-with-slash",
    layer: "transport",
    says: "The path of the interface may end with a slash.",
    patches: patch("runtime/http/app.ts", '.enable("strict routing")', ""),
  },
  {
    id: "projection-without-currency",
    layer: "encode",
    says: "A monthly projection is answered without its currency.",
    answer: inResults(["CustomerService.UpdateCustomer"], (name, value) =>
      name === "currency" ? undefined : value,
    ),
  },
  {
    id: "internal-members-shown",
    layer: "encode",
    says: "GetAccount answers with members of the bank's own.",
    answer: ({ json, method, isError }) => {
      if (isError || method !== "AccountService.GetAccount") return json;
      const text = JSON.stringify(json);
      return JSON.parse(text.replace('"account":{', '"account":{"internalNote":"overdue",'));
    },
  },
  {
    id: "status-of-legal-rep-missing",
    layer: "encode",
    says: "Legal representatives of an account have no createdDate.",
    answer: ({ json, method, isError }) => {
      if (isError || method !== "AccountService.GetAccount") return json;
      const text = JSON.stringify(json, (name, value: unknown) => {
        if (name !== "legalReps" || !Array.isArray(value)) return value;
        return value.map((each: object) =>
          Object.fromEntries(Object.entries(each).filter(([key]) => key !== "createdDate")),
        );
      });
      return JSON.parse(text);
    },
  },
  {
    id: "updated-before-created",
    layer: "encode",
    says: "updatedDate of account summaries is their createdDate.",
    answer: ({ json, method, isError }) => {
      if (isError || method !== "AccountService.ListAccounts") return json;
      return JSON.parse(
        JSON.stringify(json, (_name, value: unknown) =>
          typeof value === "object" && value !== null && "createdDate" in value && "updatedDate" in value
            ? { ...value, updatedDate: value.createdDate }
            : value,
        ),
      );
    },
  },
];
