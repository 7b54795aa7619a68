import type { SchemeDescriptor } from "../../runtime/contract/index.ts";
import type { SchemeBinding } from "../../runtime/auth/port.ts";

/** The options of a scheme as the spec declares them; a descriptor written by hand may lack or misspell some. */
export interface DeclaredOptions {
  text(option: string): string | undefined;
  requiredText(option: string): string;
  /** A text, or a list of them; none where the option is absent. */
  texts(option: string): readonly string[];
  /** A list that is not empty, each of `known`. */
  someOf(option: string, known: readonly string[]): readonly string[];
  /** A whole number that is not negative. */
  count(option: string): number | undefined;
  /** An error of the start: what is wrong, and where. */
  fault(problem: string): Error;
}

export function declaredOptions(
  declared: SchemeDescriptor,
  { scheme, realm }: Pick<SchemeBinding, "scheme" | "realm">,
): DeclaredOptions {
  const fault = (problem: string): Error =>
    new Error(`the authentication scheme ${scheme} (${declared.kind}) of the ${realm} interface ${problem}`);
  const valueOf = (option: string) => (Object.hasOwn(declared, option) ? declared[option] : undefined);

  function text(option: string): string | undefined {
    const value = valueOf(option);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw fault(`has \`${option}\`, which is no text`);
  }

  function texts(option: string): readonly string[] {
    const value = valueOf(option);
    if (value === undefined) return [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const found = list.filter((item): item is string => typeof item === "string" && item !== "");
    if (found.length !== list.length) throw fault(`has \`${option}\`, which is no list of texts`);
    return found;
  }

  return {
    fault,
    text,
    texts,
    requiredText(option) {
      const found = text(option);
      if (found === undefined) throw fault(`has no \`${option}\`: the spec has to say it`);
      return found;
    },
    someOf(option, known) {
      const found = texts(option);
      if (found.length === 0) throw fault(`has no \`${option}\`: the spec has to list some`);
      const unknown = found.find((item) => !known.includes(item));
      if (unknown !== undefined)
        throw fault(`has \`${option}\` with ${unknown}: known are ${known.join(", ")}`);
      return found;
    },
    count(option) {
      const value = valueOf(option);
      if (value === undefined) return undefined;
      if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
      throw fault(`has \`${option}\`, which is no whole number`);
    },
  };
}
