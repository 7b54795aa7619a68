export { importDocument, type Imported, type ImportOptions } from "./import-document.ts";
export { countsOf, type Counts, type ImportReport, type ReportEntry, type Verdict } from "./findings.ts";
export type { ParamsStyle } from "./methods.ts";
export { jsonOf, type Json } from "./json.ts";
export { shown, type ReadExternal } from "./sources.ts";
export { methodDifferences, schemaDifference, type Difference } from "./normal-form.ts";
