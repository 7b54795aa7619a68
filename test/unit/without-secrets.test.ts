import { expect, test } from "vitest";
import { withoutSecrets } from "../../runtime/cli/without-secrets.ts";

test.each([
  "PublicKey",
  "OtpToken",
  "DateOfBirth",
  "CardNumber",
  "value",
  "formerSecret",
  "signature",
  "payload",
])("%s is not printed, wherever it turns up", (name) => {
  const fields = { requestId: "1", [name]: "x", inner: { [name]: "x", kept: 1 } };
  expect(withoutSecrets(fields)).toEqual({
    requestId: "1",
    [name]: "[redacted]",
    inner: { [name]: "[redacted]", kept: 1 },
  });
  expect(fields.inner[name]).toBe("x");
});

test("fields without secrets are not copied", () => {
  const fields = { requestId: "1", method: "AccountService.GetAccount", inner: { status: 200 } };
  expect(withoutSecrets(fields)).toBe(fields);
});
