import { beforeEach, describe, expect, it } from "vitest";
import { errors } from "../../generated/ledger/errors.ts";
import { firstBank, openBank, type Bank } from "./handlers-bank.ts";
import {
  arturo,
  northwind,
  openAccount,
  openBusiness,
  openConsumer,
  type Business,
} from "./handlers-people.ts";
import {
  shareHolderById,
  portalLoginByLegalRep,
  beneficiaryById,
  beneficiaries,
} from "../../ledger/tables/index.ts";

let bank: Bank;
let business: Business;

beforeEach(async () => {
  bank = await openBank();
  business = await openBusiness(bank);
});

describe("UpdateCustomer", () => {
  function update(payload: object, by?: string) {
    const standard = { ID: business.customerId, businessNameLegal: northwind.businessNameLegal };
    return bank.ledger("CustomerService.UpdateCustomer", { ...standard, ...payload }, by);
  }

  const unchanged = {
    type: "BUSINESS",
    businessNameLegal: "Northwind Traders LLC",
    dateEstablished: "20110405",
    generalBusinessDescription: "Import of specialty food",
    monthlyProjection: { amount: 250000.5, currency: "USD" },
    identification: [{ type: "TIN", value: "900700001" }],
    contact: northwind.contact,
    address: northwind.address,
    createdDate: "2026-03-02T12:00:00.000Z",
    status: "ACTIVE",
  };

  it("leaves what is absent as it is, inside objects too (D-14)", async () => {
    bank.clock.advance(60_000);
    const changes = [
      [{}, {}],
      [{ businessNameLegal: "Northwind Inc" }, { businessNameLegal: "Northwind Inc" }],
      [{ address: { zip: "94112" } }, { address: { ...northwind.address, zip: "94112" } }],
      [{ contact: { phoneNumber: "+1" } }, { contact: { ...northwind.contact, phoneNumber: "+1" } }],
      [{ monthlyProjection: { amount: 7.25 } }, { monthlyProjection: { amount: 7.25, currency: "USD" } }],
      [{ dateEstablished: "20120101" }, { dateEstablished: "20120101" }],
      [{ generalBusinessDescription: "Wine" }, { generalBusinessDescription: "Wine" }],
      [{ type: "BUSINESS", institutionName: "First Bank", institutionId: "091000019" }, {}],
    ] as const;
    let expected: object = unchanged;
    for (const [change, effect] of changes) {
      const { result } = await update({ ...expectedName(expected), ...change });
      expected = { ...expected, ...effect };
      if ("address" in effect) expected = { ...expected, address: effect.address };
      expect(result).toEqual({
        ...expected,
        ID: business.customerId,
        updatedDate: "2026-03-02T12:01:00.000Z",
      });
    }
  });

  it("keeps the digits of a projection, and its number when only the currency changes", async () => {
    const text = (projection: string) =>
      `{"ID":"${business.customerId}","businessNameLegal":"N","monthlyProjection":${projection}}`;
    const projected = async (projection: string) => {
      const answer = await bank.ledger("CustomerService.UpdateCustomer", text(projection));
      return answer.error?.data?.field ?? /"monthlyProjection":(\{.*?\})/.exec(answer.text)?.[1];
    };
    expect(await projected('{"amount":1.10e3}')).toBe('{"amount":1100,"currency":"USD"}');
    expect(await projected('{"currency":"JPY"}')).toBe('{"amount":1100,"currency":"JPY"}');
    expect(await projected('{"amount":12.5}')).toBe("/monthlyProjection/amount");
    expect(await projected('{"amount":9999999999999.99,"currency":"USD"}')).toBe(
      '{"amount":9999999999999.99,"currency":"USD"}',
    );
    expect(await projected('{"currency":"JPY"}')).toBe("/monthlyProjection/amount");
    expect(await projected('{"currency":"dollars"}')).toBe("/monthlyProjection/currency");
  });

  it("needs a currency for an amount where none is stored", async () => {
    const { customerId } = (
      await bank.operator("CreateCustomer", { type: "BUSINESS", businessNameLegal: "New" })
    ).result;
    const projection = (monthlyProjection: object) => update({ ID: customerId, monthlyProjection });
    expect((await projection({ amount: 5 })).error?.data?.field).toBe("/monthlyProjection/currency");
    expect((await projection({ currency: "dollars" })).error?.data?.field).toBe(
      "/monthlyProjection/currency",
    );
    const nobodys = { ID: "nobody", monthlyProjection: { amount: 0.001, currency: "USD" } };
    expect((await update(nobodys)).error?.data?.field).toBe("/monthlyProjection/amount");
    expect((await projection({ currency: "EUR" })).result.monthlyProjection).toEqual({ currency: "EUR" });
    expect((await projection({ amount: 5 })).result.monthlyProjection).toEqual({
      amount: 5,
      currency: "EUR",
    });
  });

  it("finds businesses of the caller only", async () => {
    const consumerId = await openConsumer(bank);
    await bank.addUser({ userName: "consumer-app", groups: [consumerId] });
    for (const answer of [
      await update({ ID: "nobody" }),
      await update({ ID: consumerId }),
      await update({}, "other-teller"),
      await update({}, "consumer-app"),
    ]) {
      const { code, message } = errors.NOT_FOUND_CUSTOMER;
      expect(answer.error).toMatchObject({ code, message });
    }
  });

  function expectedName(expected: object) {
    return "businessNameLegal" in expected ? { businessNameLegal: expected.businessNameLegal } : {};
  }
});

describe("UpdateLegalRepStatus", () => {
  it("sets either status, and changes nothing where it is set already", async () => {
    for (const [status, updatedDate] of [
      ["INACTIVE", "2026-03-02T12:00:01.000Z"],
      ["INACTIVE", "2026-03-02T12:00:01.000Z"],
      ["ACTIVE", "2026-03-02T12:00:03.000Z"],
    ]) {
      bank.clock.advance(1000);
      const payload = { ID: business.legalRepId, status };
      expect((await bank.ledger("CustomerService.UpdateLegalRepStatus", payload)).result).toEqual({
        ID: business.legalRepId,
        status,
        createdDate: "2026-03-02T12:00:00.000Z",
        updatedDate,
      });
    }
  });

  it("does not find an unknown one", async () => {
    for (const [ID, by] of [
      ["nobody", "teller"],
      [business.legalRepId, "other-teller"],
    ] as const) {
      const answer = await bank.ledger("CustomerService.UpdateLegalRepStatus", { ID, Status: "ACTIVE" }, by);
      expect(answer.error?.code).toBe("NOT_FOUND_LEGAL_REP");
    }
  });
});

describe("UpdateShareHolder", () => {
  function update(changes: object) {
    const { dateOfBirth: _born, ownershipPercent: _share, ...required } = arturo;
    const standard = { ...required, Id: business.shareHolderId, customerId: business.customerId };
    return bank.ledger("CustomerService.UpdateShareHolder", { ...standard, ...changes });
  }

  async function stored() {
    return bank.store.read((view) => view.one(shareHolderById, "091000019", business.shareHolderId));
  }

  it("leaves what is absent as it is (D-14)", async () => {
    const { result } = await update({
      name: "Arturo B",
      contact: { phoneNumber: "+2" },
      address: { ...arturo.address, addressLine2: "Floor 4" },
      Status: "DISABLED",
    });
    expect(result).toEqual({
      Id: business.shareHolderId,
      CustomerId: business.customerId,
      Name: "Arturo B",
      EmailID: "arturo@northwind.example",
      Status: "DISABLED",
    });
    await update({ ownershipPercent: "30" });
    expect(await stored()).toMatchObject({
      name: "Arturo Benedetti",
      contact: { email: "arturo@northwind.example", phoneNumber: "+14155550137" },
      address: { ...arturo.address, addressLine2: "Floor 4" },
      status: "DISABLED",
      ownershipPercent: "30",
      dateOfBirth: "19770630",
    });
  });

  it("finds a shareholder of that customer only", async () => {
    const other = await openBusiness(bank);
    expect((await update({ customerId: "nobody" })).error?.code).toBe("NOT_FOUND_CUSTOMER");
    expect((await update({ customerId: other.customerId })).error?.code).toBe("NOT_FOUND_SHAREHOLDER");
    expect((await update({ Id: "nobody" })).error?.code).toBe("NOT_FOUND_SHAREHOLDER");
  });
});

describe("people of a customer", () => {
  it("are added to businesses of the institution only", async () => {
    const consumerId = await openConsumer(bank);
    const { name, email } = { name: "J", email: "j@x.example" };
    const { dateOfBirth, ...shareHolder } = arturo;
    for (const customerId of [consumerId, "nobody"]) {
      const reps = await bank.operator("AddLegalRep", { customerId, name, email });
      const shares = await bank.operator("AddShareHolder", { customerId, ...shareHolder, dateOfBirth });
      expect([reps.error?.code, shares.error?.code]).toEqual(["NOT_FOUND_CUSTOMER", "NOT_FOUND_CUSTOMER"]);
    }
    const foreign = await bank.operator(
      "AddLegalRep",
      { customerId: business.customerId, name, email },
      "other-operator",
    );
    expect(foreign.error?.code).toBe("NOT_FOUND_CUSTOMER");
  });
});

describe("CreateLegalRepLogin", () => {
  function createLogin(legalrepID = business.legalRepId) {
    return bank.ledger("CustomerService.CreateLegalRepLogin", { legalrepID });
  }

  async function stored() {
    return bank.store.read((view) => view.one(portalLoginByLegalRep, "091000019", business.legalRepId));
  }

  it("sends username, password and TOTP secret by mail and nowhere else (D-35)", async () => {
    const answer = await createLogin();
    expect(answer.result).toEqual({ ID: business.legalRepId, message: expect.any(String) });
    const [mail] = bank.mails;
    if (mail?.kind !== "portal-login") throw new Error("no mail");
    expect(mail).toMatchObject({ to: "johanna@northwind.example", name: "Johanna Lindqvist" });
    expect(mail.totpSecret).toMatch(/^[A-Z2-7]{32}$/);
    expect(mail.password).toMatch(/^[a-z2-7]{21}$/);
    const kept = await stored();
    expect(kept).toMatchObject({
      userName: mail.userName,
      passwordHash: expect.stringMatching(/^scrypt\$1024\$8\$1\$[^$]{24}\$[^$]{44}$/),
    });
    const everywhere = answer.text + JSON.stringify(kept);
    for (const secret of [mail.password, mail.totpSecret]) expect(everywhere).not.toContain(secret);
  });

  it("replaces the former login", async () => {
    await createLogin();
    const former = await stored();
    await createLogin();
    const present = await stored();
    expect(present?.userName).not.toBe(former?.userName);
    expect(present?.passwordHash).not.toBe(former?.passwordHash);
    expect(bank.mails).toHaveLength(2);
  });

  it("does not find an unknown representative", async () => {
    expect((await createLogin("nobody")).error?.code).toBe("NOT_FOUND_LEGAL_REP");
    expect(bank.mails).toHaveLength(0);
  });
});

describe("beneficiaries", () => {
  let accountId: string;
  beforeEach(async () => {
    accountId = (await openAccount(bank, business.customerId)).ID;
  });

  const maya = {
    type: "INDIVIDUAL",
    firstName: "Maya",
    lastName: "Okafor",
    accountNumber: "4402317756",
    accountType: "S",
  };

  function add(details: object = {}) {
    return bank.operator("AddBeneficiary", {
      accountId,
      legalRepId: business.legalRepId,
      ...maya,
      ...details,
    });
  }

  it("are read as they were added", async () => {
    const details = {
      contact: { email: "maya@x.example" },
      address: { country: "US" },
      bankAddress: { line1: "1 Harbor Way", city: "Boston", zipCode: "02110", country: "US" },
      bankDetail: { idType: "ABA", ID: "011000138", bankName: "Harbor" },
      uSCorrespondentBankID: "021000021",
      channel: "ACH",
    };
    const { beneficiaryId } = (await add(details)).result;
    expect((await bank.ledger("AccountService.GetBeneficiary", { ID: beneficiaryId })).result).toEqual({
      ...maya,
      ...details,
      ID: beneficiaryId,
      createdDate: "2026-03-02T12:00:00.000Z",
      updatedDate: "2026-03-02T12:00:00.000Z",
      createdBy: "operator@bank.example",
      accountId,
      legalrepId: business.legalRepId,
      legalRepId: business.legalRepId,
      status: "ACTIVE",
    });
  });

  it("are listed by account and representative (D-34)", async () => {
    const list = async (payload: object) => {
      const answer = await bank.ledger("AccountService.ListBeneficiary", payload);
      return answer.error?.code ?? answer.result.beneficiarys.map((each: { ID: string }) => each.ID);
    };
    const { beneficiaryId } = (await add()).result;
    expect(await list({ ID: accountId, LegalRepId: business.legalRepId })).toEqual([beneficiaryId]);
    expect(await list({ ID: accountId, legalrepId: "somebody" })).toEqual([]);
    expect(await list({ ID: "nothing", legalrepId: business.legalRepId })).toBe("NOT_FOUND_ACCOUNT");
  });

  it("are at most 1,000 of a representative on an account (D-34)", async () => {
    const { beneficiaryId } = (await add()).result;
    await bank.store.write(async (tx) => {
      const one = await tx.one(beneficiaryById, firstBank, beneficiaryId);
      if (one === undefined) throw new Error("it was not added");
      for (let number = 1; number < 1_000; number += 1)
        await tx.insert(beneficiaries, { ...one, id: `${one.id}-${number}` });
    });
    expect((await add()).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "too-many-beneficiaries" },
    });
    const payload = { ID: accountId, legalrepId: business.legalRepId };
    const listed = await bank.ledger("AccountService.ListBeneficiary", payload);
    expect(listed.result.beneficiarys).toHaveLength(1_000);
  });

  it("are enabled and disabled (D-27)", async () => {
    const { beneficiaryId } = (await add()).result;
    bank.clock.advance(1000);
    for (const status of ["DISABLED", "DISABLED", "ACTIVE"]) {
      const answer = await bank.operator("SetBeneficiaryStatus", { beneficiaryId, status });
      expect(answer.result).toEqual({ beneficiaryId, status, updatedDate: "2026-03-02T12:00:01.000Z" });
    }
    const unknown = await bank.operator("SetBeneficiaryStatus", { beneficiaryId: "none", status: "ACTIVE" });
    expect(unknown.error?.code).toBe("NOT_FOUND_BENEFICIARY");
  });

  it("need an account and a representative of its customer", async () => {
    const other = await openBusiness(bank);
    expect((await add({ accountId: "none" })).error?.code).toBe("NOT_FOUND_ACCOUNT");
    expect((await add({ legalRepId: other.legalRepId })).error?.code).toBe("NOT_FOUND_LEGAL_REP");
  });

  it("are seen by whom their account is seen by (D-08)", async () => {
    const consumerId = await openConsumer(bank);
    await bank.addUser({ userName: "consumer-app", groups: [consumerId] });
    await bank.addUser({ userName: "business-app", groups: [business.customerId] });
    const { beneficiaryId } = (await add()).result;
    const get = (by: string) => bank.ledger("AccountService.GetBeneficiary", { ID: beneficiaryId }, by);
    expect((await get("business-app")).error).toBeUndefined();
    for (const by of ["consumer-app", "other-teller"]) {
      expect((await get(by)).error).toMatchObject({ code: "NOT_FOUND_BENEFICIARY" });
    }
  });
});
