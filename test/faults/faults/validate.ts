import type { ValidationError } from "../../../runtime/contract/index.ts";
import { withPayload } from "../changes/handlers.ts";
import { currentPayload } from "../current-request.ts";
import { each, faultOf, inErrors, type Fault } from "../fault.ts";
import { withEveryMethod, withShape, withValidator } from "../changes/methods.ts";

const fault = faultOf("validate");

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
    description: says,
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
    description: "LegalRepId of ListBeneficiary is an unknown field.",
    options: withShape("AccountService.ListBeneficiary", (fields) =>
      fields.map((field) => (field.name === "legalrepId" ? { ...field, name: "legalrepID_" } : field)),
    ),
  },
  {
    id: "unknown-fields-refused",
    layer: "validate",
    description: "Fields that nobody knows are refused.",
    options: (options) => ({ ...options, rules: { ...options.rules, unknownFields: "reject" } }),
  },
  {
    id: "required-ignored",
    layer: "validate",
    description: "No required field is asked for.",
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
    description: "UpdateAccountStatus does not know the status DORMANT.",
    options: withValidator("AccountService.UpdateAccountStatus", (errors, payload) =>
      Object(payload).status === "DORMANT" ? [...errors, enumError("/status")] : errors,
    ),
  },
  {
    id: "account-type-missing",
    layer: "validate",
    description: "AddAccount does not know the type GL.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      Object(payload).accountType === "GL" ? [...errors, enumError("/accountType")] : errors,
    ),
  },
  {
    id: "event-missing-from-enum",
    layer: "validate",
    description: "CreateSubscription does not know the event Transaction.UPDATE.",
    options: withValidator("CreateSubscription", (errors, payload) =>
      JSON.stringify(Object(payload).events).includes("Transaction.UPDATE")
        ? [...errors, enumError("/events/1")]
        : errors,
    ),
  },
  {
    id: "optional-is-required",
    layer: "validate",
    description: "UpdateShareHolder asks for Status.",
    options: withValidator("CustomerService.UpdateShareHolder", (errors, payload) =>
      Object.hasOwn(Object(payload), "Status")
        ? errors
        : [...errors, { instancePath: "", keyword: "required", params: { missingProperty: "Status" } }],
    ),
  },
  {
    id: "legal-reps-required",
    layer: "validate",
    description: "AddAccount asks for legal representatives.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      Object.hasOwn(Object(payload), "legalReps")
        ? errors
        : [...errors, { instancePath: "", keyword: "required", params: { missingProperty: "legalReps" } }],
    ),
  },
  {
    id: "short-names",
    layer: "validate",
    description: "Names of accounts have at most 20 characters.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      String(Object(payload).name).length > 20 ? [...errors, enumError("/name")] : errors,
    ),
  },
  {
    id: "ascii-names",
    layer: "validate",
    description: "Names of accounts are ASCII.",
    options: withValidator("CustomerService.AddAccount", (errors, payload) =>
      /[^ -~]/.test(String(Object(payload).name)) ? [...errors, enumError("/name")] : errors,
    ),
  },
  fault("names-match-case", "Names match only as they are documented.", {
    options: withValidator("CustomerService.UpdateCustomer", (errors) => [...errors, ...respelled([""])]),
  }),
  fault("inner-names-match-case", "Names of inner objects match only as they are documented.", {
    options: withValidator("CustomerService.UpdateShareHolder", (errors) => [
      ...errors,
      ...respelled(["address", "contact", "identification"]),
    ]),
  }),
  fault("fields-in-reverse", "Of several wrong fields the last is reported.", {
    options: withEveryMethod((method) => ({
      ...method,
      payload: { ...method.payload, fields: method.payload.fields.toReversed() },
    })),
  }),
  fault("field-without-slash", "data.field is no JSON Pointer.", {
    response: inErrors((name, value) =>
      name === "field" ? String(value).slice(1).replaceAll("/", ".") : value,
    ),
  }),
  fault("no-field-name", "The message of BAD_INPUT does not name the field.", {
    options: withEveryMethod((method) => ({
      ...method,
      errors: Object.fromEntries(
        Object.entries(method.errors).map(([code, error]) => [
          code,
          { ...error, message: error.message.replace("{field}", "Input") },
        ]),
      ),
    })),
  }),
  fault("custodial-type-optional", "A custodial account needs no kind of custody.", {
    options: each(
      withValidator("CustomerService.AddAccount", (errors) =>
        errors.filter((error) => !missing("", "custodialType")(error)),
      ),
      withPayload("CustomerService.AddAccount", (payload) => ({ custodialType: "FBO", ...payload })),
    ),
  }),
  fault("any-callback-url", "A callback address may be any text.", {
    options: each(
      withValidator("CreateSubscription", (errors) =>
        errors.filter((error) => !at("/callbackUrl", "format", "pattern")(error)),
      ),
      withPayload("CreateSubscription", (payload) =>
        URL.canParse(String(payload["callbackUrl"]))
          ? payload
          : { ...payload, callbackUrl: "https://hooks.example" },
      ),
    ),
  }),
  fault("long-filters", "A filter of more than 1,000 characters is taken.", {
    options: each(
      withValidator("AccountService.ListAccounts", (errors) =>
        errors.filter((error) => !at("/filter", "maxLength")(error)),
      ),
      withPayload("AccountService.ListAccounts", (payload) =>
        String(payload["filter"] ?? "").length > 1_000 ? { ...payload, filter: "" } : payload,
      ),
    ),
  }),
  fault("texts-become-numbers", "A page size as text is taken.", {
    options: each(
      withValidator("AccountService.ListAccounts", (errors, payload) =>
        errors.filter(
          ({ instancePath }) => instancePath !== "/PageSize" || typeof Object(payload).PageSize !== "string",
        ),
      ),
      withPayload("AccountService.ListAccounts", (payload) =>
        typeof payload["PageSize"] === "string"
          ? { ...payload, PageSize: Number(payload["PageSize"]) }
          : payload,
      ),
    ),
  }),
];

function enumError(instancePath: string): ValidationError {
  return { instancePath, keyword: "enum", params: {} };
}

/** Members of the request, at its top or in inner objects, whose names begin with an unusual case. */
function respelled(parents: readonly string[]): readonly ValidationError[] {
  const payload = currentPayload();
  return parents.flatMap((parent) => {
    const members = Object.keys(Object(parent === "" ? payload : payload[parent]));
    return members
      .filter((name) => /^[A-Z_]{3,}/.test(name))
      .map((name) => enumError(parent === "" ? `/${name}` : `/${parent}/${name}`));
  });
}
