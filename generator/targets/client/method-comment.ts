import type { MethodModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import type { Printable } from "../../print/layout.ts";

/** The doc comment of a method: its documented name first, then its effect. */
export function methodComment(method: MethodModel, more = ""): Printable {
  return docComment({ ...method, doc: `\`${method.name}\`: ${method.doc}${more}` });
}
