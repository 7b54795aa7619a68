import { expect, test } from "vitest";
import { conformed } from "../../generator/diff/migration/conform.ts";
import { fits } from "../../generator/diff/migration/sample.ts";
import { libraryWith } from "./diff-cases.ts";

/** The values that a migration note shows, made of those of the other revision. */
function fitted(group: string, value: object): unknown {
  const model = libraryWith(
    new Map([
      [
        "types.yaml",
        `
types:
  Person:
    doc: A person.
    keep: true
    fields:
      - name: contact
        type: object
        optional: true
        doc: How to reach them.
        fields:
          - { name: language, type: string, doc: Their language. }
          - { name: email, type: string, optional: true, doc: E-mail. }
          - { name: phone, type: string, optional: true, doc: Phone. }
      - name: address
        type: object
        optional: true
        doc: Where they live.
        fields: [{ name: street, type: string, doc: Street. }]
    ${group}: [[contact.email, contact.phone, address.street]]
`,
      ],
    ]),
  );
  const shape = { kind: "ref", type: "Person" } as const;
  const made = conformed(model, shape, value, undefined);
  expect(fits(model, shape, made), JSON.stringify(made)).toBe(true);
  return made;
}

const contact = { language: "pl" };

test("a missing group of fields within objects adds one of them, and keeps what is there", () => {
  for (const group of ["atLeastOneOf", "exactlyOneOf"]) {
    expect(fitted(group, { contact })).toMatchObject({
      contact: { language: "pl", email: expect.any(String) },
    });
    expect(fitted(group, {})).toMatchObject({ contact: { email: expect.any(String) } });
  }
});

test("of fields within objects that exclude each other the first stays", () => {
  const email = "e@example.com";
  expect(fitted("exactlyOneOf", { contact: { ...contact, email, phone: "1" } })).toEqual({
    contact: { ...contact, email },
  });
  expect(fitted("exactlyOneOf", { contact: { ...contact, email }, address: { street: "Long" } })).toEqual({
    contact: { ...contact, email },
  });
  expect(fitted("atLeastOneOf", { contact: { ...contact, email }, address: { street: "Long" } })).toEqual({
    contact: { ...contact, email },
    address: { street: "Long" },
  });
});
