import { expect, test } from "vitest";
import { repeatedName } from "../../conformance/response/body-findings.ts";

test.each([
  ['{"id":"","id":"1"}', "id"],
  ['{"a":[{"b":1},{"b":1,"c":{},"b":2}]}', "b"],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"a":{"b":1},"b":{"a":"x:\\"b\\":{"}}', undefined],
  ['[{"a":"}"},{"a":"\\\\"},"a",{"a":"a"}]', undefined],
  ['"a"', undefined],
])("%s has %s twice", (json, name) => {
  expect(repeatedName(json)?.name).toBe(name);
});
