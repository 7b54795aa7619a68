export {
  sourceText,
  lineColumnAt,
  lineTextAt,
  type LineColumn,
  type SourceText,
  type Span,
} from "./source-text.ts";
