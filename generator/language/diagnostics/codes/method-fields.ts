import { didYouMean, entry } from "../entry.ts";

const list = (paging: string, pageType = "integer") =>
  `methods:\n  BookService.ListBooks:\n    doc: Lists books.\n    effect: read\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: page, type: ${pageType}, optional: true, doc: The page. }\n    result:\n      fields:\n        - { name: books, type: array of Book, doc: The books. }\n    paging: ${paging}\n`;

/** The diagnostics where a method names fields of its own for what they do. */
export const methodFieldCodes = {
  "method-field-unknown": entry<{
    key: string;
    name: string;
    part: "payload" | "result";
    suggestion: string | undefined;
  }>({
    severity: "error",
    message: ({ name, part }) => `the ${part} has no field \`${name}\``,
    hint: didYouMean,
    rule: "`paging` and `registersKey` name fields of the method's own payload and result, in their canonical spelling.",
    wrong: list("{ page: Page, items: books }"),
    right: list("{ page: page, items: books }"),
  }),
  "paging-style": entry({
    severity: "error",
    message: () => "a list comes in pages by their number or by a cursor",
    hint: () => "write `page`, or `cursor` and `next`",
    rule: "`page` names the payload's number of the page. `cursor` names the payload's field for where a page begins, and `next` the result's field with the cursor of the next page.",
    wrong: list("{ cursor: page, items: books }"),
    right: list("{ page: page, items: books }"),
  }),
  "method-field-type": entry<{ key: string; name: string; wanted: string }>({
    severity: "error",
    message: ({ key, name, wanted }) => `\`${name}\` cannot be the \`${key}\`: it is not ${wanted}`,
    rule: "The fields that `paging` names are integers or strings whose `pattern` takes digits, and an array for the `items`; a `cursor` is an optional string or integer, and `next` a string or integer; those of `registersKey` are a `pem` and a string.",
    wrong: list("{ page: page, items: books }", "string"),
    right: list("{ page: page, items: books }"),
  }),
};
