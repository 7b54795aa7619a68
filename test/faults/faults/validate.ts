import type { ValidationError } from "../../../runtime/contract/index.ts";
import { patch, type Fault } from "../fault.ts";
import { withValidator, withShape } from "../method-changes.ts";

const canonicalise = "runtime/pipeline/validate/canonicalise.ts";
const validate = "runtime/pipeline/validate/validate.ts";

/** A rule of one operation's payload that is not checked. */
function unchecked(
  id: string,
  says: string,
  method: string,
  isUnchecked: (error: ValidationError) => boolean,
): Fault {
  return {
    id,
    layer: "validate",
    says,
    options: withValidator(method, (errors) => errors.filter((error) => !isUnchecked(error))),
  };
}

const at =
  (pointer: string, ...keywords: readonly string[]) =>
  ({ instancePath, keyword }: ValidationError): boolean =>
    instancePath === pointer && (keywords.length === 0 || keywords.includes(keyword));
const missing =
  (pointer: string, name: string) =>
  ({ instancePath, keyword, params }: ValidationError): boolean =>
    instancePath === pointer && keyword === "required" && params["missingProperty"] === name;

export const validateFaults: readonly Fault[] = [
  {
    id: "alias-dropped",
    layer: "validate",
    says: "LegalRepId of ListBeneficiary is an unknown field.",
    options: withShape("AccountService.ListBeneficiary", (fields) =>
      fields.map((field) => (field.name === "legalrepId" ? { ...field, name: "legalrepID_" } : field)),
    ),
  },
  {
    id: "names-match-case",
    layer: "validate",
    says: "Names match only as they are documented.",
    patches: patch(
      canonicalise,
      "const field = plan.byName.get(key) ?? plan.byName.get(foldName(key));",
      "const field = [...plan.byName.values()].find((each) => each.name === key);",
    ),
  },
  {
    id: "inner-names-match-case",
    layer: "validate",
    says: "Names of inner objects match only as they are documented.",
    patches: patch(
      canonicalise,
      "const field = plan.byName.get(key) ?? plan.byName.get(foldName(key));",
      'const field = plan.byName.get(key) ?? (pointer === "" ? plan.byName.get(foldName(key)) : undefined);',
    ),
  },
  {
    id: "two-spellings",
    layer: "validate",
    says: "Of two spellings of a field the last one counts.",
    patches: patch(canonicalise, 'walk.faults.push({ pointer: at, reason: "two-spellings" });', ";"),
  },
  {
    id: "unknown-fields-refused",
    layer: "validate",
    says: "Fields that nobody knows are refused.",
    options: (options) => ({ ...options, rules: { ...options.rules, unknownFields: "reject" } }),
  },
  {
    id: "null-is-absent",
    layer: "validate",
    says: "null counts as absent.",
    patches: patch(
      canonicalise,
      'if (value === null) walk.faults.push({ pointer: at, reason: "null" });',
      "if (value === null) continue;",
    ),
  },
  {
    id: "last-field-reported",
    layer: "validate",
    says: "Of several wrong fields the last is reported.",
    patches: patch(validate, "inDocumentOrder(faults, plan)", "inDocumentOrder(faults, plan).toReversed()"),
  },
  {
    id: "fields-in-order-sent",
    layer: "validate",
    says: "Of several wrong fields the first that was found is reported, whatever the document's order.",
    patches: patch(
      validate,
      "] = inDocumentOrder(faults, plan);",
      "] = faults.toSorted((a, b) => (a.pointer < b.pointer ? 1 : -1));",
    ),
  },
  {
    id: "field-without-slash",
    layer: "validate",
    says: "data.field is no JSON Pointer.",
    patches: patch(
      validate,
      "    pointer,\n    reason,\n    fieldName:",
      '    pointer: pointer.slice(1).replaceAll("/", "."),\n    reason,\n    fieldName:',
    ),
  },
  {
    id: "no-field-name",
    layer: "validate",
    says: "The message of BAD_INPUT does not name the field.",
    patches: patch(
      "runtime/pipeline/encode/encode.ts",
      'descriptor.message.replaceAll("{field}", () => name)',
      'descriptor.message.replaceAll("{field} is", () => "Input is")',
    ),
  },
  {
    id: "required-ignored",
    layer: "validate",
    says: "No required field is asked for.",
    options: (options) =>
      Object.keys(options.interfaceDescriptor.methods).reduce(
        (current, method) =>
          withValidator(method, (errors) => errors.filter(({ keyword }) => keyword !== "required"))(current),
        options,
      ),
  },
  unchecked(
    "business-name-optional",
    "businessNameLegal of UpdateCustomer may be missing.",
    "CustomerService.UpdateCustomer",
    missing("", "businessNameLegal"),
  ),
  unchecked(
    "address-zip-optional",
    "address.zip of UpdateShareHolder may be missing.",
    "CustomerService.UpdateShareHolder",
    missing("/address", "zip"),
  ),
  unchecked(
    "otp-may-be-empty",
    "Otp of CompleteRegisterDevice may be empty.",
    "KeyService.CompleteRegisterDevice",
    at("/Otp", "minLength"),
  ),
  unchecked(
    "reference-may-be-empty",
    "ReferenceId of GetTransactionsByRef may be empty.",
    "TransactionService.GetTransactionsByRef",
    at("/ReferenceId", "minLength"),
  ),
  unchecked(
    "required-when-ignored",
    "A custodial account needs no custodian.",
    "CustomerService.AddAccount",
    ({ keyword, params }) =>
      keyword === "required" && String(params["missingProperty"]).startsWith("Custodial"),
  ),
  {
    ...unchecked(
      "custodial-type-optional",
      "A custodial account needs no kind of custody.",
      "CustomerService.AddAccount",
      missing("", "custodialType"),
    ),
    patches: patch(
      "runtime/handlers/ledger/customer-service/add-account.ts",
      "if (custodialType === undefined || context.policy",
      "if (context.policy",
    ),
  },
  unchecked(
    "custodial-type-may-be-empty",
    "The kind of custody may be empty.",
    "CustomerService.AddAccount",
    at("/custodialType", "minLength"),
  ),
  unchecked(
    "custodial-type-any-length",
    "The kind of custody may be of any length.",
    "CustomerService.AddAccount",
    at("/custodialType", "maxLength"),
  ),
  unchecked(
    "customer-type-ignored",
    "type of UpdateCustomer may be anything.",
    "CustomerService.UpdateCustomer",
    at("/type", "const"),
  ),
  unchecked(
    "identification-type-ignored",
    "identification.type of UpdateShareHolder may be anything.",
    "CustomerService.UpdateShareHolder",
    at("/identification/type", "const"),
  ),
  unchecked(
    "dates-not-in-calendar",
    "dateEstablished may be a day that the calendar lacks.",
    "CustomerService.UpdateCustomer",
    at("/dateEstablished", "format"),
  ),
  unchecked(
    "birth-date-any-text",
    "DOB may be any text.",
    "CustomerService.UpdateShareHolder",
    at("/DOB", "format", "pattern"),
  ),
  unchecked(
    "any-status",
    "A status that does not exist is taken.",
    "CustomerService.UpdateLegalRepStatus",
    at("/Status", "enum"),
  ),
  unchecked(
    "any-account-status",
    "An account gets a status that does not exist.",
    "AccountService.UpdateAccountStatus",
    at("/status", "enum"),
  ),
  unchecked(
    "any-account-type",
    "An account is opened of a type that does not exist.",
    "CustomerService.AddAccount",
    at("/accountType", "enum"),
  ),
  unchecked(
    "any-event",
    "A subscription asks for events that do not exist.",
    "CreateSubscription",
    ({ instancePath, keyword }) => instancePath.startsWith("/events/") && keyword === "enum",
  ),
  unchecked(
    "no-events",
    "A subscription asks for no events.",
    "CreateSubscription",
    at("/events", "minItems"),
  ),
  unchecked(
    "no-accounts",
    "A subscription is to no account.",
    "CreateSubscription",
    at("/groupId", "minItems"),
  ),
  {
    ...unchecked(
      "any-callback-url",
      "A callback address may be any text.",
      "CreateSubscription",
      at("/callbackUrl", "format", "pattern"),
    ),
    patches: patch(
      "runtime/handlers/ledger/create-subscription.ts",
      "if (!address.ok) throw",
      'if (!address.ok && address.fault !== "not-a-url") throw',
    ),
  },
  unchecked("page-zero", "Page 0 is taken.", "AccountService.ListAccounts", at("/PageNumber", "minimum")),
  unchecked(
    "size-zero",
    "A page of no accounts is taken.",
    "AccountService.ListAccounts",
    at("/PageSize", "minimum"),
  ),
  unchecked(
    "size-with-fraction",
    "A page size with a fraction is taken.",
    "AccountService.ListAccounts",
    at("/PageSize", "type"),
  ),
  unchecked(
    "list-without-fields",
    "ListAccounts takes an empty payload.",
    "AccountService.ListAccounts",
    ({ instancePath }) => instancePath === "",
  ),
  {
    ...unchecked(
      "long-filters",
      "A filter of more than 1,000 characters is taken.",
      "AccountService.ListAccounts",
      at("/filter", "maxLength"),
    ),
    patches: patch("runtime/domain/filter/parse-filter.ts", "charactersMax: 1000,", "charactersMax: 4096,"),
  },
  unchecked(
    "id-as-number-taken",
    "An account's identifier may be a number.",
    "AccountService.GetAccount",
    at("/ID", "type"),
  ),
  unchecked(
    "address-as-text",
    "An address may be a text.",
    "CustomerService.UpdateCustomer",
    at("/address", "type"),
  ),
  unchecked(
    "legal-reps-as-object",
    "Legal representatives may be no list.",
    "CustomerService.AddAccount",
    at("/legalReps", "type"),
  ),
  unchecked(
    "fingerprint-as-text",
    "A fingerprint may be a text.",
    "KeyService.CompleteRegisterDevice",
    at("/MFP", "type"),
  ),
  unchecked(
    "source-without-fields",
    "GetSource takes a source that is empty text.",
    "GetSource",
    at("/source"),
  ),
  {
    id: "enum-value-missing",
    layer: "validate",
    says: "UpdateAccountStatus does not know the status DORMANT.",
    options: withValidator("AccountService.UpdateAccountStatus", (errors, payload) =>
      Object(payload).status === "DORMANT" ? [...errors, enumError("/status")] : errors,
    ),
  },
  {
    id: "account-type-missing",
    layer: "validate",
    says: "AddAccount does not know the type GL.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      Object(payload).accountType === "GL" ? [...errors, enumError("/accountType")] : errors,
    ),
  },
  {
    id: "event-missing-from-enum",
    layer: "validate",
    says: "CreateSubscription does not know the event Transaction.UPDATE.",
    options: withValidator("CreateSubscription", (errors, payload) =>
      JSON.stringify(Object(payload).events).includes("Transaction.UPDATE")
        ? [...errors, enumError("/events/1")]
        : errors,
    ),
  },
  {
    id: "optional-is-required",
    layer: "validate",
    says: "UpdateShareHolder asks for Status.",
    options: withValidator("CustomerService.UpdateShareHolder", (errors, payload) =>
      Object.hasOwn(Object(payload), "Status")
        ? errors
        : [...errors, { instancePath: "", keyword: "required", params: { missingProperty: "Status" } }],
    ),
  },
  {
    id: "legal-reps-required",
    layer: "validate",
    says: "AddAccount asks for legal representatives.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      Object.hasOwn(Object(payload), "legalReps")
        ? errors
        : [...errors, { instancePath: "", keyword: "required", params: { missingProperty: "legalReps" } }],
    ),
  },
  {
    id: "short-names",
    layer: "validate",
    says: "Names of accounts have at most 20 characters.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      String(Object(payload).name).length > 20 ? [...errors, enumError("/name")] : errors,
    ),
  },
  {
    id: "ascii-names",
    layer: "validate",
    says: "Names of accounts are ASCII.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      /[^ -~]/.test(String(Object(payload).name)) ? [...errors, enumError("/name")] : errors,
    ),
  },
  {
    id: "amount-digits",
    layer: "validate",
    says: "Amounts of more than 15 digits are taken.",
    patches: [
      ...patch(validate, "faults.push(...amountFaults(amounts));", "amountFaults(amounts);"),
      ...patch("runtime/domain/money.ts", "significantDigitsMax = 15", "significantDigitsMax = 19"),
    ],
  },
  {
    id: "texts-become-numbers",
    layer: "validate",
    says: "A page size as text is taken.",
    patches: patch(
      validate,
      "const fits = method.validate(payload);",
      'if (typeof payload["PageSize"] === "string") payload["PageSize"] = Number(payload["PageSize"]);\n    const fits = method.validate(payload);',
    ),
  },
];

function enumError(instancePath: string): ValidationError {
  return { instancePath, keyword: "enum", params: {} };
}
