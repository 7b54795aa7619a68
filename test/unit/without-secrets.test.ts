import { pino } from "pino";
import { expect, test } from "vitest";
import { application } from "../../ledger/application.ts";
import { withoutSecretsOf, withoutUrlSecretsIn } from "../../runtime/operations/log/logger.ts";

const withoutSecrets = withoutSecretsOf(application);

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

test("no password or token of a URL is logged, in a field or an error", () => {
  const url = "https://ann:hunter2@collector.example/?token=hunter3";
  const fields = { endpoint: url, tracing: { url } };
  expect(JSON.stringify(withoutSecrets(fields))).not.toContain("hunter");
  const cause = new Error(`getaddrinfo ${url}`);
  const error = Object.assign(new Error(`cannot reach ${url}`, { cause }), { input: url });
  const logged = withoutUrlSecretsIn(pino.stdSerializers.err(error));
  expect(JSON.stringify(logged)).toContain("https://***@collector.example");
  expect(JSON.stringify(logged)).not.toContain("hunter");
});
