import { expect, test } from "vitest";
import { readAccessFile } from "../../web/shared/access-file.ts";

const pem = "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n";
const identity = { userName: "ana", apiKey: "a1", keyId: "k1" };
const caller = { kind: "caller", ...identity, pem: "", keyFile: "" };

test.for<[string, string, string | undefined, object]>([
  ["a key", pem, undefined, { kind: "key", pem }],
  ["a key after lines of OpenSSL", `Bag Attributes\n${pem}`, undefined, { kind: "key" }],
  ["access.json", JSON.stringify({ ...identity, privateKeyPem: pem }), undefined, { ...caller, pem }],
  [
    "the operator in access.json",
    JSON.stringify({ userName: "demo", operator: { ...identity, privateKeyPem: pem } }),
    "operator",
    { ...caller, pem },
  ],
  [
    "operator.yaml of the guide",
    "userName: ana\napiKey: a1\nkeyId: k1\nurl: http://127.0.0.1:8081,http://127.0.0.1:8091\nprivateKeyFile: operator.pem # beside this file\n",
    "operator",
    { ...caller, keyFile: "operator.pem" },
  ],
  [
    "YAML with the key in it",
    `---\r\n# of ana\r\nuserName: "ana"\r\napiKey: 'a1'\r\nkeyId: k1\r\nprivateKeyPem: |\r\n  ${pem.trim().replaceAll("\n", "\r\n  ")}\r\n`,
    undefined,
    { ...caller, pem: pem.trim() },
  ],
  ["YAML with an apostrophe", "userName: 'an''a'\napiKey: a1\nkeyId: k1\n", undefined, { userName: "an'a" }],
  [
    "YAML with the operator in it",
    "userName: demo\noperator:\n  userName: ana\n  apiKey: a1\n  keyId: k1\n",
    "operator",
    caller,
  ],
])("takes %s", ([, text, member, expected]) => {
  expect(readAccessFile(text, member)).toMatchObject(expected);
});

test.for([
  ["nothing", ""],
  ["a secret of another kind", "hunter2\n"],
  ["a list in YAML", "- userName: ana\n"],
  ["broken JSON", '{ "userName": '],
  ["JSON of something else", '{ "name": "x" }'],
  ["YAML of something else", "password: hunter2\n"],
])("refuses %s, and shows nothing of it", ([, text = ""]) => {
  const access = readAccessFile(text);
  expect(access.kind).toBe("neither");
  expect(JSON.stringify(access)).not.toContain("hunter2");
});
