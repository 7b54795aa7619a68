import { describe, expect, test } from "vitest";
import { everyCursor, everyItem, everyPage } from "../../templates/client/paging.ts";

/** A list of numbers in pages; `between` is what happens to it before each read but the first. */
function listOf(length: number, between?: (items: number[], reads: number) => void) {
  const items = Array.from({ length }, (_, at) => at);
  let reads = 0;
  const read = async (page: number, size: number): Promise<readonly number[]> => {
    if (reads > 0) between?.(items, reads);
    reads += 1;
    if (reads > 20 * length + 20) throw new Error("read without end");
    return items.slice(page * size, (page + 1) * size);
  };
  return { items, read };
}

const key = (item: number | undefined): unknown => item;
const sizes = [1, 2, 3, 4, 5, 6, 12, 13];

describe.each(sizes)("a list whose largest page has %i items", (sizeMax) => {
  test("is read whole, in order and once, by pages of any size", async () => {
    for (let wanted = 1; wanted <= sizeMax; wanted++) {
      for (const length of [0, 1, 2, 5, 6, 7, 12, 60, 61, 130]) {
        const { items, read } = listOf(length);
        expect(await Array.fromAsync(everyItem(0, wanted, sizeMax, key, read))).toEqual(items);
      }
    }
  });
});

test("a list of which a service gives fewer at a time than are asked for is read whole", async () => {
  for (const given of [1, 2, 3, 7, 12]) {
    for (const length of [0, 1, 2, 6, 7, 8, 12, 61, 130]) {
      const { items, read } = listOf(length);
      const capped = (page: number, size: number) => read(page, Math.min(size, given));
      expect(await Array.fromAsync(everyItem(0, 13, 13, key, capped))).toEqual(items);
    }
  }
});

test("a list whose pages overlap loses nothing that stays while others come and go", async () => {
  for (let wanted = 1; wanted <= 13; wanted++) {
    const { items, read } = listOf(130, (held, reads) => {
      // Every other one goes from the front, and others come there now and then.
      if (reads % 2 === 0 && reads < 100) held.splice(held.findIndex(isOdd), 1);
      if (reads % 7 === 0) held.unshift(1000 + 2 * reads + 1);
    });
    const found = await Array.fromAsync(everyItem(0, wanted, 13, key, read));
    expect(found.filter((item) => !isOdd(item))).toEqual(items.filter((item) => !isOdd(item)));
    expect(new Set(found).size).toBe(found.length);
  }
});

test("item 360,360 of pages of at most 13, where pages of every size end, is followed by the next", async () => {
  const read = async (page: number, size: number): Promise<readonly number[]> =>
    Array.from({ length: size }, (_, at) => page * size + at).filter((item) => item < 360_400);
  let last = -1;
  for await (const item of everyItem(0, 13, 13, key, read)) {
    if (item !== last + 1) throw new Error(`${item} came after ${last}`);
    last = item;
  }
  expect(last).toBe(360_399);
});

test("a list of a service that takes no notice of the page is read once, and ends", async () => {
  for (const length of [1, 5, 12, 13, 20]) {
    const { items, read } = listOf(length);
    let reads = 0;
    const everySame = async (_page: number, size: number): Promise<readonly number[]> => {
      reads += 1;
      return read(0, size);
    };
    expect(await Array.fromAsync(everyItem(0, 13, 13, key, everySame))).toEqual(items.slice(0, 13));
    expect(reads).toBeLessThan(6);
    reads = 0;
    const whole = async (): Promise<readonly number[]> => everySame(0, length);
    expect(await Array.fromAsync(everyItem(0, 13, 13, key, whole))).toEqual(items);
    expect(reads).toBeLessThan(6);
  }
});

describe("a list whose items nothing tells apart", () => {
  test("ends where full pages are the same again and again", async () => {
    const { read } = listOf(13);
    expect((await Array.fromAsync(everyPage(0, 13, () => read(0, 13)))).length).toBeLessThan(60);
  });

  test("is read whole, also where a service gives fewer at a time than are asked for", async () => {
    for (const given of [1, 2, 3, 7, 12, 13, 20]) {
      for (const length of [0, 1, 2, 6, 7, 8, 12, 13, 26, 61, 130]) {
        const { items, read } = listOf(length);
        const capped = (page: number, size: number) => read(page - 1, Math.min(size, given));
        expect(await Array.fromAsync(everyPage(1, 13, capped))).toEqual(items);
      }
    }
  });

  test("is read once from a service that takes no notice of the page, or of page and size", async () => {
    const { items, read } = listOf(5);
    expect(await Array.fromAsync(everyPage(0, 13, (_page, size) => read(0, size)))).toEqual(items);
    expect(await Array.fromAsync(everyPage(0, 13, () => read(0, 13)))).toEqual(items);
  });

  test("goes on over pages that are the same where they are full", async () => {
    const read = async (page: number, size: number): Promise<readonly number[]> =>
      Array.from({ length: page < 3 ? size : 1 }, () => 7);
    expect(await Array.fromAsync(everyPage(0, 4, read))).toHaveLength(13);
  });
});

function isOdd(item: number): boolean {
  return item % 2 === 1;
}

test("a list by cursors is read until a page gives none, an empty one, or one that was given before", async () => {
  const pagesOf = (nexts: readonly (string | null | undefined)[]) => {
    const asked: (string | undefined)[] = [];
    const read = async (cursor: string | undefined) => {
      asked.push(cursor);
      return { items: [asked.length], next: nexts[asked.length - 1] };
    };
    return { asked, read };
  };
  for (const last of [undefined, null, "", "a"]) {
    const { asked, read } = pagesOf(["a", "b", last, "c"]);
    expect(await Array.fromAsync(everyCursor(read))).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, "a", "b"]);
  }
  const { asked, read } = pagesOf(["a", "b"]);
  for await (const item of everyCursor(read)) if (item === 1) break;
  expect(asked).toEqual([undefined]);
});
