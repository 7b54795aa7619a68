import type { Patch } from "./fault.ts";

/** A text with patches applied. @throws Error where a patch does not fit exactly once */
export function patched(text: string, patches: readonly Patch[]): string {
  return patches.reduce((current, { file, find, put }) => {
    const parts = current.split(find);
    if (parts.length !== 2)
      throw new Error(`${file} has ${JSON.stringify(find)} ${parts.length - 1} times; a fault needs it once`);
    return parts.join(put);
  }, text);
}
