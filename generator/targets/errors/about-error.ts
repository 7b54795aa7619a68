import type { ErrorModel } from "../../model/service-model.ts";

/** The meaning of an error and the remedy, as sentences. */
export function aboutError(error: ErrorModel): string {
  return [error.doc, error.action]
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(" ");
}
