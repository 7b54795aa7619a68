import { digestOf } from "../digest.ts";
import { oncePer } from "../../language/source/once-per.ts";
import { textOfStub } from "./hand-files.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** The generator's own words in a handler file. */
export interface StubParts {
  /** Name of the exported function. */
  readonly export: string;
  /** Name of its type, as the generated handlers module exports it. */
  readonly type: string;
  /** The doc comment directly above the function, without the line break after it. */
  readonly doc?: string;
}

const declaration = /^export const ([\p{ID_Continue}$]+):\s*([\p{ID_Continue}$]+)</mu;

/** Reads the parts back out of a stub that an emitter printed; undefined where it is no stub of a method. */
export function stubParts(stub: string): StubParts | undefined {
  const found = declaration.exec(stub);
  const [, name, localType] = found ?? [];
  if (found === null || name === undefined || localType === undefined) return undefined;
  const alias = stub
    .slice(0, found.index)
    .match(new RegExp(`([\\p{ID_Continue}$]+) as ${escaped(localType)}\\b`, "u"));
  const doc = docAbove(stub.slice(0, found.index));
  return omitUndefined({ export: name, type: alias?.[1] ?? localType, doc });
}

/** Whether a file is a stub as it was created, with the doc comment of some time: it holds no person's work. */
export function isStub(bytes: Buffer, stub: string): boolean {
  return textOfStub(bytes) === stub || textWithoutDoc(bytes) === withoutDoc(stub);
}

const textWithoutDoc = oncePer((bytes: Buffer) => withoutDoc(textOfStub(bytes)));

function withoutDoc(stub: string): string {
  const { doc } = stubParts(stub) ?? {};
  return doc === undefined ? stub : stub.replace(`${doc}\n`, () => "");
}

/** The digest by which the generator knows its own doc comment again, whatever the file's line ends. */
export function docDigest(doc: string): string {
  return digestOf(doc.replaceAll("\r\n", "\n"));
}

function docAbove(text: string): string | undefined {
  if (!text.endsWith("*/\n")) return undefined;
  const start = text.startsWith("/**") && !text.includes("\n/**") ? 0 : text.lastIndexOf("\n/**") + 1;
  return text.slice(start, -1);
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
