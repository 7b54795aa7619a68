import type { ErrorModel } from "../../model/service-model.ts";

/** What an error means and what its receiver can do, as sentences. */
export function aboutError(error: ErrorModel): string {
  return [error.doc, error.action]
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(" ");
}
