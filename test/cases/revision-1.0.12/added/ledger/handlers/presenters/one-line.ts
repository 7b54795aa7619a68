import type { AddressRecord } from "../../domain/records/parties.ts";

/** An address as it is shown since 1.0.12: what was stored before may have its street in several lines. */
export function withOneLine(address: AddressRecord): AddressRecord {
  const { addressLine1, ...rest } = address;
  return addressLine1 === undefined
    ? address
    : { ...rest, addressLine1: addressLine1.replaceAll(/\p{Zl}+/gu, " ") };
}
