import { claim } from "../../print/interface-names.ts";
import { byHandName } from "./converter.ts";

/** Local names for fields: a field's own name where it is free and may be one. */
export class Locals {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set(["value", byHandName]);

  of(field: string, wanted = field): string {
    const plain = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(wanted) && !reserved.has(wanted) ? wanted : "field";
    const known = this.#names.get(field) ?? claim(plain, this.#taken);
    this.#names.set(field, known);
    return known;
  }

  has(field: string): boolean {
    return this.#names.has(field);
  }

  pattern(field: string): string {
    const local = this.of(field);
    return local === field ? local : `${JSON.stringify(field)}: ${local}`;
  }
}

const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);
