import { Command } from "commander";
import { resources } from "../../runtime/cli/operate/commands.ts";
import { addVerbs } from "../../runtime/cli/operate/program.ts";
import { expect, test } from "vitest";
import { fieldsOf, optionOf } from "../../runtime/cli/operate/fields.ts";
import { describedInterface } from "../../runtime/cli/operate/interface.ts";

const described = describedInterface();

/** What a flag of an operator's command makes of a text. */
function read(method: string, flag: string, text: string): unknown {
  const fields = fieldsOf(described.method(method).payload, described.resolve);
  const field = fields.find((each) => each.flag === flag);
  if (field === undefined) throw new Error(`${method} has no --${flag}`);
  return optionOf(field).parseArg?.(text, undefined);
}

test.each([
  ["SetAccountStatus", "status", "BLOKED", "It is one of CREATED, ACTIVE,"],
  ["ListAudit", "subject", "users", "It is one of institution, account,"],
  ["UpdateSubscription", "enabled", "maybe", "Write one of true, false."],
  ["ListAudit", "page-size", "many", "many is no number."],
  ["ListAudit", "page-size", " ", "is no number."],
])(
  "%s --%s refuses a value that there is not, and names those that there are",
  (method, flag, text, hint) => {
    expect(() => read(method, flag, text)).toThrow(hint);
  },
);

test("a flag takes each of its values, and any text where it lists none", () => {
  expect(read("SetAccountStatus", "status", "BLOCKED")).toBe("BLOCKED");
  expect(read("IssueCredential", "customer-ids", "a,b")).toEqual(["a", "b"]);
  expect(read("ListAudit", "subject-id", "anything")).toBe("anything");
});

test.each(Object.keys(resources))("the help of %s fits 80 columns", (resource) => {
  let text = "";
  const width = { getOutHelpWidth: () => 80, writeOut: (part: string) => void (text += part) };
  const group = new Command(resource).configureOutput(width);
  addVerbs(group, resource);
  for (const command of group.commands) command.configureOutput(width).outputHelp();
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
