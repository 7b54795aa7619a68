import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format as formatWithPrettier } from "prettier";
import { describe, expect, test } from "vitest";
import { formatText, printWidth } from "../../generator/output/format.ts";

const root = join(import.meta.dirname, "../..");

const typeScript = {
  "a union that fits on the next line": `export type Kind = "SAVINGS" | "CHECKING" | "WALLET" | "MONEY_MARKET" | "CREDIT_CARD" | "GL" | "CUSTODIAL";`,
  "a union that does not": `export type Kind = ${Array.from({ length: 20 }, (_, at) => `"VALUE_${at}"`).join(" | ")};`,
  "a union whose members have comments": `export type Kind =\n  /** For saving. */\n  | "SAVINGS"\n  /** For checking. */\n  | "CHECKING";`,
  "a comment after the last short member": `export type Kind = "draft-2020-12" | "draft-07" | "openapi-3.0"\n  // and others\n  | ({} & string);`,
  "a union as a type argument": `export const table: Map<"LONG_VALUE_ONE" | "LONG_VALUE_TWO" | "LONG_VALUE_THREE" | "LONG_VALUE_FOUR", string> = new Map();`,
  "a union of a property": `export interface A { readonly status?: "CREATED" | "ACTIVE" | "CURTAILED" | "DORMANT" | "SUSPENDED" | "BLOCKED" | "CLOSED"; }`,
  "a union of a parameter": `export declare function stringify(value: string, replacer?: Replacer | null, options?: string | number | (DocumentOptions & SchemaOptions)): string;`,
  "a member over several lines": `export type A = { readonly aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: string; readonly bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: string; readonly cccccccccccccc: string } | "B";`,
  "a template literal that looks like one": "export const text = `\nA =\n  | B\n  | C\n`;",
};

describe("format", () => {
  test.for(Object.entries(typeScript))("lays out %s as Prettier does", async ([, code]) => {
    const formatted = await formatText("a.ts", code);
    expect(formatted).toBe(await formatWithPrettier(code, { filepath: "a.ts", printWidth }));
  });

  test("gives a union that does not fit its line a line for each member, where Prettier tries the next line first", async () => {
    const members = ["EveryMethodErrorCode", '"NOT_FOUND_CUSTOMER"', '"NOT_FOUND_SHAREHOLDER"'];
    const name = "UpdateTheShareHolderOfACustomerErrorCode";
    const code = `export type ${name} = ${members.join(" | ")};`;
    const formatted = `export type ${name} =\n${members.map((member) => `  | ${member}`).join("\n")};\n`;
    expect(await formatText("a.ts", code)).toBe(formatted);
    expect(await formatWithPrettier(code, { filepath: "a.ts", printWidth })).not.toBe(formatted);
  });

  test("lays out the TypeScript on a page, and leaves its prose", async () => {
    const page = "A   page\n\n```ts\nawait call( 1 )\n```\n\n```sh\nls   .\n```\n\n```ts\nstop()\n```\n";
    expect(await formatText("README.md", page)).toBe(
      page.replace("await call( 1 )", "await call(1);").replace("stop()", "stop();"),
    );
  });

  test("is stable: formatted text stays as it is", async () => {
    for (const code of Object.values(typeScript)) {
      const once = await formatText("a.ts", code);
      expect(await formatText("a.ts", once)).toBe(once);
    }
  });

  test("uses the project's print width", () => {
    expect(JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8"))).toMatchObject({ printWidth });
  });

  test("keeps what is neither code nor JSON as it was printed", async () => {
    expect(await formatText("a.html", "<p>  a</p>")).toBe("<p>  a</p>");
  });

  test("names the file that does not parse", async () => {
    await expect(formatText("generated/a.ts", "const = 1")).rejects.toThrow("generated/a.ts does not parse");
  });
});
