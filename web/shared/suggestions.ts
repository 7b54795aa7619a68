import { el, newId, show } from "./dom.ts";

/** A value that a field may have, and what people call it. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

/** Gives the values that a field of a form may have, by its name; undefined where nobody knows them. */
export type Suggest = (field: string) => (() => Promise<readonly Suggestion[]>) | undefined;

/**
 * Has a field offer values by what people call them. They are read when the field is first used. Other values can be
 * typed as well, and any value if the suggestions cannot be read.
 */
export function offering(
  input: HTMLElement,
  read: () => Promise<readonly Suggestion[]>,
): HTMLDataListElement {
  const list = el("datalist", { id: newId("offers") });
  input.setAttribute("list", list.id);
  let isRead = false;
  const fill = async (): Promise<void> => {
    if (isRead) return;
    isRead = true;
    try {
      const offered = await read();
      show(
        list,
        offered.map(({ value, label }) => el("option", { value }, label)),
      );
    } catch {
      isRead = false;
    }
  };
  input.addEventListener("focus", () => void fill());
  return list;
}
