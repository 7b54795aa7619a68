import type { EditableSpec, JsonMap } from "../preservation/spec-edits.ts";

/** An edit that breaks somebody, and the hand-written files, below ledger/handlers, that have to change. */
export interface BreakingEdit {
  readonly name: string;
  edit(spec: Sections): void;
  readonly mustChange: readonly string[];
}

/** The sections of a spec by what is looked for in them. */
export interface Sections {
  method(name: string): JsonMap;
  type(name: string): JsonMap;
  /** A field of a type, or of the `payload` or `result` of a method. */
  field(owner: JsonMap, name: string): JsonMap;
  fields(owner: JsonMap): JsonMap[];
  readonly all: JsonMap;
  map(name: string): JsonMap;
}

const account = "presenters/account.ts";
const getAccount = "ledger/account-service/get-account.ts";
const listAccounts = "ledger/account-service/list-accounts.ts";
const listBeneficiary = "ledger/account-service/list-beneficiary.ts";
const updateAccountStatus = "ledger/account-service/update-account-status.ts";
const addAccount = "ledger/customer-service/add-account.ts";
const updateCustomer = "ledger/customer-service/update-customer.ts";
const updateLegalRepStatus = "ledger/customer-service/update-legal-rep-status.ts";
const updateShareHolder = "ledger/customer-service/update-share-holder.ts";
const completeRegisterDevice = "ledger/key-service/complete-register-device.ts";
const createSubscription = "ledger/create-subscription.ts";
const getSource = "ledger/get-source.ts";

export const breakingEdits: readonly BreakingEdit[] = [
  {
    name: "a method is removed",
    edit: ({ map }) => delete map("methods")["AccountService.GetBeneficiary"],
    mustChange: ["ledger/account-service/get-beneficiary.ts"],
  },
  {
    name: "a method is renamed without a word",
    edit: ({ map, method }) => {
      map("methods")["AccountService.FindAccount"] = method("AccountService.GetAccount");
      delete map("methods")["AccountService.GetAccount"];
    },
    mustChange: [getAccount],
  },
  {
    name: "a method is renamed, and says so",
    edit: ({ map, method }) => {
      map("methods")["AccountService.FindAccount"] = {
        ...method("AccountService.GetAccount"),
        renamedFrom: "AccountService.GetAccount",
      };
      delete map("methods")["AccountService.GetAccount"];
    },
    mustChange: [],
  },
  {
    name: "a method with a helper that names its payload is renamed, and says so",
    edit: ({ map, method }) => {
      map("methods")["CustomerService.OpenAccount"] = {
        ...method("CustomerService.AddAccount"),
        renamedFrom: "CustomerService.AddAccount",
      };
      delete map("methods")["CustomerService.AddAccount"];
      map("states")["AccountStatus"] = { ...accountStates(map("states")), transitions: [] };
    },
    mustChange: [],
  },
  {
    name: "a write becomes a read",
    edit: ({ method, map }) => {
      method("CustomerService.UpdateLegalRepStatus")["effect"] = "read";
      delete map("states")["LegalRepStatus"];
    },
    mustChange: [updateLegalRepStatus],
  },
  {
    name: "a field of an answer is removed",
    edit: ({ type, fields }) => remove(fields(type("Account")), "nickName"),
    mustChange: [account],
  },
  {
    name: "a field of a nested object of an answer is removed",
    edit: ({ type, fields, field }) => remove(fields(field(type("Account"), "parent")), "code"),
    mustChange: [account],
  },
  {
    name: "a required field is added to an answer",
    edit: ({ type, fields }) => fields(type("Account")).push(newField("branch")),
    mustChange: [account],
  },
  {
    name: "an optional field of an answer becomes required",
    edit: ({ type, field }) => delete field(type("Account"), "parent")["optional"],
    mustChange: [account],
  },
  {
    name: "a field of an answer gets another type",
    edit: ({ type, field }) => {
      field(type("Account"), "final")["type"] = "string";
    },
    mustChange: [account],
  },
  {
    name: "an amount becomes a plain number",
    edit: ({ type, field }) => {
      field(type("Account"), "minimumBalance")["type"] = "number";
    },
    mustChange: [account],
  },
  {
    name: "a list of an answer becomes a single value",
    edit: ({ type, field }) => {
      field(type("Account"), "tags")["type"] = "string";
    },
    mustChange: [account],
  },
  {
    name: "a field of an answer is renamed",
    edit: ({ type, field }) => rename(field(type("AccountSummary"), "institutionName"), "bankName"),
    mustChange: ["presenters/account-summary.ts"],
  },
  {
    name: "every optional field of an answer is renamed",
    edit: ({ type, fields, method }) => {
      const shareHolder = method("CustomerService.UpdateShareHolder")["result"];
      for (const owner of [
        type("Account"),
        type("Beneficiary"),
        type("BankDetail"),
        type("BusinessCustomer"),
        type("MonthlyProjection"),
        typeof shareHolder === "string" ? type(shareHolder) : mapped(shareHolder),
      ])
        for (const each of fields(owner).filter(({ optional }) => optional === true))
          rename(each, `${String(each["name"])}Renamed`);
    },
    mustChange: [
      account,
      "presenters/beneficiary.ts",
      "presenters/business-customer.ts",
      "presenters/people.ts",
      "services/money-fields.ts",
      updateCustomer,
      updateShareHolder,
    ],
  },
  {
    name: "a constant of an answer changes",
    edit: ({ type, field }) => {
      field(type("BusinessCustomer"), "type")["const"] = "COMPANY";
    },
    mustChange: ["presenters/business-customer.ts"],
  },
  {
    name: "a field of an event is removed",
    edit: ({ type, fields }) => remove(fields(type("AccountEvent")), "glAccount"),
    mustChange: ["presenters/account-event.ts", "presenters/account-summary.ts"],
  },
  {
    name: "a required field is added to an event",
    edit: ({ type, fields }) => fields(type("TransactionEvent")).push(newField("Channel")),
    mustChange: ["presenters/transaction-event.ts"],
  },
  {
    name: "a list is answered under another name",
    edit: ({ method, field }) =>
      rename(
        field(part(method("AccountService.ListBeneficiary"), "result"), "beneficiarys"),
        "beneficiaries",
      ),
    mustChange: [listBeneficiary],
  },
  {
    name: "a method answers with another type",
    edit: ({ method }) => {
      method("TransactionService.GetTransactionsByRef")["result"] = "TransactionEvent";
    },
    mustChange: [],
  },
  {
    name: "a method answers with something that its body does not give",
    edit: ({ method }) => {
      method("TransactionService.GetTransactionsByRef")["result"] = "Account";
    },
    mustChange: ["ledger/transaction-service/get-transactions-by-ref.ts"],
  },
  {
    name: "a field of a request is removed",
    edit: ({ method, fields }) =>
      remove(fields(part(method("AccountService.ListBeneficiary"), "payload")), "legalrepId"),
    mustChange: [listBeneficiary],
  },
  {
    name: "a field of a request is renamed",
    edit: ({ method, field }) =>
      rename(field(part(method("AccountService.GetAccount"), "payload"), "ID"), "accountId"),
    mustChange: [getAccount],
  },
  {
    name: "a field of a request becomes optional",
    edit: ({ method, field }) => {
      field(part(method("AccountService.UpdateAccountStatus"), "payload"), "status")["optional"] = true;
    },
    mustChange: [updateAccountStatus],
  },
  {
    name: "a field of a request becomes required",
    edit: ({ method, field }) => {
      delete field(part(method("CustomerService.UpdateShareHolder"), "payload"), "Status")["optional"];
    },
    mustChange: [],
  },
  {
    name: "a text of a request becomes a number",
    edit: ({ method, field }) => {
      const ownershipPercent = field(
        part(method("CustomerService.UpdateShareHolder"), "payload"),
        "ownershipPercent",
      );
      ownershipPercent["type"] = "number";
      delete ownershipPercent["example"];
    },
    mustChange: [updateShareHolder],
  },
  {
    name: "a single value of a request becomes a list",
    edit: ({ method, field }) => {
      field(part(method("KeyService.CompleteRegisterDevice"), "payload"), "Otp")["type"] = "array of string";
    },
    mustChange: [completeRegisterDevice],
  },
  {
    name: "a list of a request becomes a single value",
    edit: ({ method, field }) => {
      const groupId = field(part(method("CreateSubscription"), "payload"), "groupId");
      groupId["type"] = "string";
      delete groupId["minItems"];
    },
    mustChange: [createSubscription, "services/new-subscription.ts"],
  },
  {
    name: "an object of a request loses a field",
    edit: ({ type, fields }) => remove(fields(type("ShareHolderAddress")), "country"),
    mustChange: [],
  },
  {
    name: "a number of a request becomes a text",
    edit: ({ method, field }) => {
      const page = field(part(method("AccountService.ListAccounts"), "payload"), "PageSize");
      for (const key of ["minimum", "example"]) delete page[key];
      page["type"] = "string";
      delete method("AccountService.ListAccounts")["paging"];
    },
    mustChange: [listAccounts],
  },
  {
    name: "a value is added to an enum that requests carry",
    edit: ({ type }) => {
      enumOf(type("AccountStatus")).push({ value: "FROZEN", doc: "Neither in nor out." });
    },
    mustChange: [updateAccountStatus],
  },
  {
    name: "a value is removed from an enum that answers carry",
    edit: ({ type, map }) => {
      const values = enumOf(type("AccountStatus"));
      values.splice(
        values.findIndex(({ value }) => value === "CURTAILED"),
        1,
      );
      delete map("states")["AccountStatus"];
    },
    mustChange: [account, "presenters/account-event.ts", addAccount],
  },
  {
    name: "a value of an enum that answers and requests carry is renamed",
    edit: ({ type, map }) => {
      for (const value of enumOf(type("LegalRepStatus")))
        if (value["value"] === "INACTIVE") value["value"] = "PASSIVE";
      delete map("states")["LegalRepStatus"];
    },
    mustChange: [updateLegalRepStatus],
  },
  {
    name: "an enum becomes a plain text",
    edit: ({ method, field }) => {
      field(part(method("CustomerService.UpdateShareHolder"), "payload"), "Status")["type"] = "string";
    },
    mustChange: [updateShareHolder],
  },
  {
    name: "a code is no longer one of a method",
    edit: ({ method }) => {
      delete part(method("AccountService.ListBeneficiary"), "errors")["NOT_FOUND_ACCOUNT"];
    },
    mustChange: [listBeneficiary],
  },
  {
    name: "a code is renamed",
    edit: ({ map, method }) => {
      map("errors")["NO_SUCH_SOURCE"] = part(map("errors"), "NOT_FOUND_SOURCE");
      delete map("errors")["NOT_FOUND_SOURCE"];
      const errors = part(method("GetSource"), "errors");
      delete errors["NOT_FOUND_SOURCE"];
      errors["NO_SUCH_SOURCE"] = {};
      delete part(map("resources"), "source")["absent"];
    },
    mustChange: [getSource],
  },
  {
    name: "a code that is thrown in a condition is no longer one of a method",
    edit: ({ method }) => {
      delete part(method("AccountService.UpdateAccountStatus"), "errors")["CONFLICT"];
    },
    mustChange: [updateAccountStatus],
  },
  {
    name: "a form of a payload loses a field that its body reads",
    edit: ({ method }) => {
      for (const form of Object.values(part(part(method("CustomerService.AddAccount"), "payload"), "forms")))
        remove(list(mapped(form)["fields"]), "activityAccountNumber");
    },
    mustChange: [addAccount],
  },
  {
    name: "a form of a payload is removed",
    edit: ({ method }) => {
      delete part(part(method("CustomerService.AddAccount"), "payload"), "forms")["business"];
    },
    mustChange: [addAccount],
  },
  {
    name: "a field is added to a request",
    edit: ({ method, fields }) =>
      fields(part(method("CustomerService.UpdateCustomer"), "payload")).push(newField("website")),
    mustChange: [],
  },
  {
    name: "an object that a body stores gets another type for a field",
    edit: ({ type, field }) => {
      const currency = field(type("MonthlyProjection"), "currency");
      currency["type"] = "boolean";
      delete currency["example"];
    },
    mustChange: ["presenters/business-customer.ts", "presenters/people.ts", "services/money-fields.ts"],
  },
];

/** Finds things in a spec. */
export function sectionsOf({ sections }: EditableSpec): Sections {
  const map = (name: string): JsonMap => mapped(sections[name]);
  const fields = (owner: JsonMap): JsonMap[] => list(owner["fields"]);
  return {
    all: sections,
    map,
    method: (name) => part(map("methods"), name),
    type: (name) => part(map("types"), name),
    fields,
    field(owner, name) {
      const found = fields(owner).find((field) => field["name"] === name);
      if (found === undefined) throw new Error(`there is no field ${name}`);
      return found;
    },
  };
}

function accountStates(states: JsonMap): JsonMap {
  return part(states, "AccountStatus");
}

function part(owner: JsonMap, name: string): JsonMap {
  return mapped(owner[name]);
}

function enumOf(type: JsonMap): JsonMap[] {
  return list(type["enum"]);
}

function remove(fields: JsonMap[], name: string): void {
  const at = fields.findIndex((field) => field["name"] === name);
  if (at === -1) throw new Error(`there is no field ${name}`);
  fields.splice(at, 1);
}

function rename(field: JsonMap, name: string): void {
  field["name"] = name;
  delete field["spellings"];
}

function newField(name: string): JsonMap {
  return { name, type: "string", doc: "New." };
}

function list(value: unknown): JsonMap[] {
  if (!isList(value)) throw new Error("not a list of mappings");
  return value;
}

function isList(value: unknown): value is JsonMap[] {
  return Array.isArray(value) && value.every(isMapping);
}

function mapped(value: unknown): JsonMap {
  if (!isMapping(value)) throw new Error("not a mapping");
  return value;
}

function isMapping(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
