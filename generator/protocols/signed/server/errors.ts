import type { ErrorModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { braces, type Printable } from "../../../print/layout.ts";
import { jsonLiteral, member, objectLiteral, stringLiteral } from "../../../print/literals.ts";
import { importedType, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { unionDeclaration } from "../../../print/type-expression.ts";
import type { EmitLayout, FileDraft } from "../../../targets/emitter.ts";
import { aboutError } from "../../../targets/errors/about-error.ts";

/** `errors.ts`: the codes of the interface and what each of them says. */
export function errors(model: ServiceModel, layout: EmitLayout): readonly FileDraft[] {
  const path = `${layout.out}/errors.ts`;
  const everyMethod = model.errors.filter((error) => error.everyMethod);
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: ["ErrorCode", "EveryMethodErrorCode", "errors"],
    body: [
      unionDeclaration("ErrorCode", { doc: "Every code of the interface." }, codes(model.errors)),
      unionDeclaration(
        "EveryMethodErrorCode",
        { doc: "The codes that every method can answer with." },
        codes(everyMethod),
      ),
      errorTable(model.errors, layout.contract),
    ],
  });
  return [{ path, ownership: "owned", text }];
}

function codes(errors: readonly ErrorModel[]): readonly Printable[] {
  return errors.map((error) => stringLiteral(error.code));
}

function errorTable(errors: readonly ErrorModel[], contract: string): Printable {
  const entries = errors.map((error) => [
    docComment({ ...error, doc: aboutError(error) }),
    entry(error),
    ",",
  ]);
  return [
    docComment({ doc: "What each code says, and the statuses it maps to." }),
    "export const errors: { readonly [code in ErrorCode]: ",
    importedType("ErrorDescriptor", contract),
    " } = ",
    braces(entries),
    ";",
  ];
}

function entry(error: ErrorModel): Printable {
  const descriptor = objectLiteral([
    member("code", stringLiteral(error.code)),
    member("message", stringLiteral(error.message)),
    member("httpStatus", String(error.httpStatus)),
    member("rpcCode", String(error.rpcCode)),
    error.wireCode === undefined ? undefined : member("wireCode", jsonLiteral(error.wireCode)),
  ]);
  return member(error.code, descriptor) ?? "";
}
