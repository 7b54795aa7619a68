/** `make`, called once for each object: the value lives as long as the object it was made of. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>();
  return remembering(made, make);
}

/** `make`, called once for each text in the life of the process: for few texts, such as names of templates. */
export function oncePerText<Made>(make: (text: string) => Made): (text: string) => Made {
  return remembering(new Map<string, { readonly value: Made }>(), make);
}

let count = 0;

/** A short text that no other object has. */
export const keyOf = oncePer((_thing: object) => String((count += 1)));

/** Remembers of each object the value that was made of it last. */
export interface Last<Key extends object, Made> {
  /** `key` says what else it is made of: with the same key it is not made again. */
  of(thing: Key, key: string, make: () => Made): Made;
}

export function createLast<Key extends object, Made>(): Last<Key, Made> {
  const last = new WeakMap<Key, { readonly key: string; readonly value: Made }>();
  return {
    of(thing, key, make) {
      const known = last.get(thing);
      if (known?.key === key) return known.value;
      const value = make();
      last.set(thing, { key, value });
      return value;
    },
  };
}

interface Remembered<Key, Made> {
  get(key: Key): { readonly value: Made } | undefined;
  set(key: Key, made: { readonly value: Made }): unknown;
}

function remembering<Key, Made>(made: Remembered<Key, Made>, make: (key: Key) => Made): (key: Key) => Made {
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
