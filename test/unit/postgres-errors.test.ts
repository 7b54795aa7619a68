import { expect, test } from "vitest";
import {
  DuplicateRecordError,
  StoreBusyError,
  UnavailableError,
  type UnavailableReason,
} from "../../runtime/store/ports/index.ts";
import { declaredFault, isConflict, isFull, storeErrorOf } from "../../runtime/store/postgres/errors.ts";

const failed = (code: string, message = "x"): Error => Object.assign(new Error(message), { code });

test.each<readonly [code: string, message: string, reason: UnavailableReason]>([
  ["55P03", "", "database-locked"],
  ["25006", "", "read-only"],
  ["53100", "", "disk-full"],
  ["53200", "", "out-of-memory"],
  ["53300", "", "unreachable"],
  ["57P01", "", "unreachable"],
  ["57P02", "", "unreachable"],
  ["57P03", "", "unreachable"],
  ["57P05", "", "unreachable"],
  ["25P03", "", "unreachable"],
  ["08006", "", "unreachable"],
  ["58030", "", "disk-fault"],
  ["XX001", "", "damaged"],
  ["XX002", "", "damaged"],
  ["ECONNREFUSED", "", "unreachable"],
  ["ENOTFOUND", "", "unreachable"],
  ["", "Connection terminated unexpectedly", "unreachable"],
  ["CERT_HAS_EXPIRED", "expired", "unreachable"],
  ["", "The server does not support SSL connections", "unreachable"],
])("PostgreSQL's %s (%s) is declared as %s", (code, message, reason) => {
  const cause = failed(code, message);
  const fault = declaredFault(cause);
  expect(fault).toBeInstanceOf(UnavailableError);
  expect(fault).toMatchObject({ reason, cause });
});

test.each([
  ["ERR_SSL_WRONG_VERSION_NUMBER", "C0DE:error:0A00010B:SSL routines:../deps/x.c:354:", "tls-failed"],
  ["CERT_HAS_EXPIRED", "certificate has expired", "certificate-expired"],
  ["", "The server does not support SSL connections", "it takes none"],
])("what TLS says by %s is told in a fixed word, without its text", (code, message, word) => {
  const said = String(declaredFault(failed(code, message)));
  expect(said).toContain(`TLS to the database server fails: ${word}.`);
  expect(said).not.toContain(message);
});

test.each([
  ["57014", "", "statementTimeoutMs"],
  ["", "timeout exceeded when trying to connect", "connectTimeoutMs"],
])("PostgreSQL's %s %s asks for a later call, and names the setting", (code, message, setting) => {
  const fault = declaredFault(failed(code, message));
  expect(fault).toBeInstanceOf(StoreBusyError);
  expect(String(fault)).toContain(`database.${setting}`);
});

test("a record that is taken, refers to none, or holds too much is refused in words of its table", () => {
  const taken = storeErrorOf("accounts", failed("23505"));
  expect(taken).toBeInstanceOf(DuplicateRecordError);
  expect(String(taken)).toContain("accounts: an identifier or unique field is taken");
  expect(String(storeErrorOf("accounts", failed("23503")))).toContain("refers to one that does not exist");
  expect(storeErrorOf("postings", failed("22003"))).toBeInstanceOf(RangeError);
  expect(storeErrorOf("accounts", failed("53100"))).toMatchObject({ reason: "disk-full" });
});

test("what PostgreSQL says of no fault stays as it is", () => {
  const unknown = failed("42601");
  expect(declaredFault(unknown)).toBe(unknown);
  expect([isConflict(failed("40001")), isConflict(failed("40P01")), isConflict(unknown)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isFull(failed("53300")), isFull(unknown)]).toEqual([true, false]);
});
