const lengthMax = 128;

/** A name that a caller chose, as an error repeats it: a name of a megabyte makes no answer of a megabyte. */
export function echoedName(name: string): string {
  return name.length <= lengthMax ? name : `${name.slice(0, lengthMax - 1).toWellFormed()}…`;
}
