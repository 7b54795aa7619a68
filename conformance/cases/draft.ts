import { createHash } from "node:crypto";
import type { Case } from "../suite/case.ts";
import type { SpecReference } from "../suite/level.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";

/** A case without its name. */
export type Draft = Omit<Case, "id" | "origin"> & {
  /** The last parts of the id. */
  readonly name: readonly string[];
  readonly stated: readonly (SpecReference | undefined)[];
};

/** A case whose name is known, and which is made when it is needed. */
export interface Sketch {
  /** The last parts of the id. */
  readonly name: readonly string[];
  make(): Draft;
}

/** Names the cases of an interface, or of some of its operations, and says what they rest on. */
export class CaseNames {
  readonly #rules: Suite["rules"];
  readonly #ids = new Set<string>();

  constructor({ rules }: Pick<Suite, "rules">) {
    this.#rules = rules;
  }

  caseOf(added: Draft): Case {
    const { name: _name, stated, ...draft } = added;
    const ruled = draft.rule === undefined ? undefined : this.#rules[draft.rule];
    const id = this.idOf(draft.method, { name: added.name, make: () => added });
    return { id, origin: originOf([...stated, ruled]), ...draft };
  }

  /** Of cases whose words come out equal, all but the first have a digest of what they send. */
  idOf(method: string, { name, make }: Sketch): string {
    const id = [method, ...name].join("/");
    let free = id;
    for (let count = 1; this.#ids.has(free); count += 1) {
      const { title, request } = make();
      const text = JSON.stringify([title, request, count]);
      free = `${id}-${createHash("sha256").update(text).digest("hex").slice(0, 6)}`;
    }
    this.#ids.add(free);
    return free;
  }
}

/** Text as a part of an id. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/(?<=^|\s)-(?=\d)/g, "minus ")
    .replaceAll(/[^A-Za-z0-9.+]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return words.slice(0, 60) || "x";
}

function originOf(stated: readonly (SpecReference | undefined)[]): readonly string[] {
  const sections = stated.flatMap((each) => each?.section ?? []);
  const decisions = stated.flatMap((each) => each?.decisions ?? []);
  return [...new Set([...sections, ...decisions])];
}

/** Marks an expected error whose code the method's own section lists. */
export function documentedIn(
  method: Pick<MethodEntry, "errors">,
  code: string,
): { readonly documented?: true } {
  const declared = method.errors.find((error) => error.code === code);
  return declared?.section === undefined ? {} : { documented: true };
}
