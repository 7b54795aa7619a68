export interface AddressRecord {
  readonly addressLine1?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly zip?: string;
}

export interface ShareHolderAddressRecord extends AddressRecord {
  readonly addressLine2?: string;
}

export interface ContactRecord {
  readonly email?: string;
  readonly phoneNumber?: string;
}

export interface IdentificationRecord {
  readonly type: string;
  readonly value: string;
}

export interface CustomerRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly type: "BUSINESS" | "CONSUMER";
  /** Legal name of a business; full name of a consumer. */
  readonly name: string;
  readonly status: "ACTIVE";
  /** YYYYMMDD. */
  readonly dateEstablished?: string;
  readonly generalBusinessDescription?: string;
  readonly monthlyProjection?: { readonly amountMinor?: bigint; readonly currency?: string };
  readonly identification: readonly IdentificationRecord[];
  readonly contact: ContactRecord;
  readonly address: AddressRecord;
  /** YYYYMMDD, consumers. */
  readonly dateOfBirth?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface LegalRepRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly name: string;
  readonly email: string;
  readonly phoneNumber?: string;
  readonly status: "ACTIVE" | "INACTIVE";
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ShareHolderRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly name: string;
  readonly identification: IdentificationRecord;
  readonly contact: ContactRecord;
  readonly address: ShareHolderAddressRecord;
  readonly status: "ENABLED" | "DISABLED";
  readonly ownershipPercent?: string;
  /** YYYYMMDD. */
  readonly dateOfBirth?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface BankAddressRecord {
  readonly line1?: string;
  readonly city?: string;
  readonly zipCode?: string;
  readonly country?: string;
}

export interface BeneficiaryRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly accountId: string;
  readonly legalRepId: string;
  readonly type: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly accountNumber: string;
  readonly accountType: string;
  readonly contact: ContactRecord;
  readonly address: { readonly country?: string };
  readonly bankAddress: BankAddressRecord;
  readonly bankDetail: { readonly idType?: string; readonly id?: string; readonly bankName?: string };
  readonly createdBy: string;
  readonly status: "ACTIVE" | "DISABLED";
  readonly usCorrespondentBankId?: string;
  readonly channel?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A legal representative's portal login (D-35). A new one replaces and revokes the former. */
export interface PortalLoginRecord {
  readonly legalRepId: string;
  readonly institutionId: string;
  readonly userName: string;
  /** `scrypt$…` or `argon2id$…`: algorithm, parameters, salt and hash. */
  readonly passwordHash: string;
  /** The TOTP secret, sealed by the service's own key. */
  readonly totpSecretSealed: string;
  readonly createdAt: number;
}
