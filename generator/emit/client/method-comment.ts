import type { MethodModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import type { Printable } from "../../print/layout.ts";

/** What a method does, with its documented name in front, by which people look for it. */
export function methodComment(method: MethodModel, more = ""): Printable {
  return docComment({ ...method, doc: `\`${method.name}\`: ${method.doc}${more}` });
}
