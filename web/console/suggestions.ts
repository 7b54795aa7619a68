import type { Suggest, Suggestion } from "../shared/suggestions.ts";
import type { Session } from "./session.ts";

const atOnce = 200;

/** The values of a field, read when they are needed. */
export type ReadSuggestions = () => Promise<readonly Suggestion[]>;

/** What an application knows of its forms: values of further fields, and the operations that make users. */
export interface FormWords {
  readonly fields: ReadonlyMap<string, ReadSuggestions>;
  readonly makeUsers: readonly string[];
}

/** The values that fields of the operator's forms may have, as far as the operator may list them. */
export function suggestFor(
  client: Pick<Session["client"], "listUsers">,
  { fields, makeUsers }: FormWords,
): (operation: string) => Suggest {
  const users: ReadSuggestions = async () =>
    (await client.listUsers({ pageSize: atOnce })).users.map(({ userName, email }) => ({
      value: userName,
      label: email ?? "",
    }));
  return (operation) => (field) => {
    // A new user has none of the names that there are.
    if (field === "userName") return makeUsers.includes(operation) ? undefined : users;
    // Items of a list are called by its name and their number.
    return fields.get(field.replace(/ \d+$/, ""));
  };
}
