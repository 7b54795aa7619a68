import { beforeEach, describe, expect, test } from "vitest";
import { DuplicateRecordError } from "../../runtime/store/ports/index.ts";
import { collections } from "./collection-cases.ts";
import { insertParties } from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";

export function describeCollections(open: OpenStore): void {
  describe.each(collections)("$name", ({ full, rivals }) => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    test("gives back what was inserted, field by field", async () => {
      const before = structuredClone(full.record);
      await store().write(full.insert);
      expect(full.record).toStrictEqual(before);
      for (const find of full.finds) {
        const found = await store().read(find);
        expect(found).toStrictEqual(full.record);
        expect(found).not.toBe(full.record);
      }
    });

    test("does not find what was never inserted, nor another institution's", async () => {
      for (const find of full.finds) expect(await store().read(find)).toBeUndefined();
      await store().write(full.insert);
      for (const find of full.findsElsewhere) expect(await store().read(find)).toBeUndefined();
    });

    test("refuses a taken identifier or unique field, and the transaction goes on", async () => {
      await store().write(async (tx) => {
        await full.insert(tx);
        for (const rival of [full, ...rivals]) {
          await expect(rival.insert(tx)).rejects.toThrow(DuplicateRecordError);
        }
      });
      for (const find of full.finds) expect(await store().read(find)).toStrictEqual(full.record);
    });
  });

  describe.each(changing)("$name that change", ({ full, changed, changedInOne }) => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    test("are replaced in every field but what identifies them", async () => {
      await store().write(full.insert);
      await store().write(changed.replace);
      for (const find of changed.finds) expect(await store().read(find)).toStrictEqual(changed.record);
    });

    test("are replaced in whatever field differs from what was found", async () => {
      await store().write(full.insert);
      for (const one of [changed, ...changedInOne]) {
        await store().write(one.replaceFound);
        for (const find of one.finds) expect(await store().read(find)).toStrictEqual(one.record);
        await store().write(full.replace);
      }
    });

    test("are not replaced where they are not", async () => {
      await expect(store().write(changed.replace)).rejects.toThrow(/no record to replace/);
      await expect(store().write(changed.replaceFound)).rejects.toThrow(/no record to replace/);
      await expect(store().write(full.replaceFound)).rejects.toThrow(/no record to replace/);
    });
  });
}

/** One case for each collection. */
export function describeCollectionsInShort(open: OpenStore): void {
  describe("collections", () => {
    const store = storeForEachTest(open);

    test.each(collections)(
      "$name are given back, unique, and replaced",
      async ({ full, rivals, changed }) => {
        await store().write(async (tx) => {
          await insertParties(tx);
          await full.insert(tx);
          for (const rival of [full, ...rivals])
            await expect(rival.insert(tx)).rejects.toThrow(DuplicateRecordError);
        });
        const expectFound = async ({ finds, record }: typeof full) => {
          for (const find of finds) expect(await store().read(find)).toStrictEqual(record);
        };
        await expectFound(full);
        for (const find of full.findsElsewhere) expect(await store().read(find)).toBeUndefined();
        if (changed === undefined) return;
        await store().write(changed.replaceFound);
        await expectFound(changed);
      },
    );
  });
}

const changing = collections.flatMap(({ changed, ...rest }) =>
  changed === undefined ? [] : [{ ...rest, changed }],
);
