import { describe, expect, test } from "vitest";
import { modelOf } from "../vectors/models.ts";
import { subjectsOf, vectorsOf } from "../vectors/vectors-of.ts";
import { describeVectors, verdictOf } from "./vectors-suite.ts";

/** It has every construct there is; the other specs: vectors.ci.test.ts. */
const spec = "test/vectors/specs/every-rule";

describeVectors(spec);

describe("the vectors of a spec", () => {
  const groups = vectorsOf(modelOf(spec));

  test("are the same each time", () => {
    // Of another object, so that nothing is remembered.
    expect(JSON.stringify(vectorsOf({ ...modelOf(spec) }))).toBe(JSON.stringify(groups));
  });

  test.each([
    ["payload of SensorService.Check", 'formats.date: no date "20230230"', false],
    ["payload of SensorService.Check", 'formats.date: no date "19000229"', false],
    ["payload of SensorService.Check", 'formats.date: date "20000229"', true],
    ["payload of SensorService.Check", 'formats.timestamp: no timestamp "2026-02-29T08:30:00.000Z"', false],
    ["payload of SensorService.Check", 'formats.timestamp: timestamp "2024-02-29T23:59:59.999Z"', true],
    ["payload of SensorService.Check", 'formats.base64: no base64 "AQI"', false],
    ["payload of SensorService.Check", 'formats.base64: no base64 "AR=="', false],
    ["payload of SensorService.Check", 'formats.base64: base64 "AQI="', true],
    ["payload of SensorService.Check", "formats.base64: empty", false],
    ["payload of SensorService.Check", 'formats.url: no url "https://user@example.com/"', false],
    ["payload of SensorService.Check", 'formats.url: url "https://example.com/a@b"', true],
    ["payload of SensorService.Check", "numbers.price: 999999999999999", true],
    ["payload of SensorService.Check", "numbers.price: 1000000000000000", false],
    ["payload of SensorService.Check", "numbers.whole: beyond 2^53", true],
    ["payload of SensorService.Check", "numbers.whole: a fraction", false],
    ["payload of SensorService.Check", "numbers.whole: -0", true],
    ["payload of SensorService.AddSensor", "label: 5 characters, 10 units", true],
    ["payload of SensorService.AddSensor", "label: 6 characters, 6 units", false],
    ["payload of SensorService.AddSensor", "label: astral character", false],
    ["payload of SensorService.AddSensor", "note: empty", false],
    ["payload of SensorService.AddSensor", "note: absent", false],
    ["payload of SensorService.AddSensor", "hint: empty", true],
    ["payload of SensorService.AddSensor", "place.name: empty", false],
    ["payload of SensorService.AddSensor", "place.code: empty", true],
    ["payload of SensorService.AddSensor", "reader: absent", false],
    ["payload of SensorService.AddSensor", "reader: empty", false],
    ["payload of SensorService.AddSensor", "reader: absent with isManual false", true],
    ["payload of SensorService.AddSensor", "gauge: absent with kind RAIN", false],
    ["payload of SensorService.AddSensor", "levels: 1 items", false],
    ["payload of SensorService.AddSensor", "levels: 3 items", true],
    ["payload of SensorService.AddSensor", "tags: the same item twice", false],
    ["payload of SensorService.AddSensor", "unknown property", true],
    ["payload of SensorService.Find", "none of id, kind, place", false],
    ["payload of SensorService.Find", "of page, cursor only page, cursor", false],
    ["payload of SensorService.Find", "page: absent", false],
    ["payload of SensorService.Set", "type: not the constant", false],
    ["payload of SensorService.Set", "type: absent", false],
    ["result of SensorService.AddSensor", "place.name: empty", true],
    ["result of SensorService.AddSensor", "sensor.mast.ID: absent", false],
    ["result of SensorService.AddSensor", "sensor.mast.id: absent", false],
    ["result of SensorService.AddSensor", "place.Code: absent", true],
    ["result of SensorService.AddSensor", "place.Code: null", false],
  ])("judge as a person would: %s, %s: %s", (group, description, valid) => {
    expect(verdictOf(groups, group, description)).toBe(valid);
  });

  test.each([
    [{ id: "1", value: 3.5, from: 90 }, true],
    [{ id: "1", value: "hard", since: "2026-11-20T08:30:00.000Z", a: "x" }, true],
    [{ id: "1", value: "hard", from: 90 }, false],
    [{ id: "1", value: 3.5, since: "2026-11-20T08:30:00.000Z", a: "x" }, false],
    [{ id: "1", value: true, from: 90 }, false],
    [{ id: "1", value: 3.5, from: 90, since: "yesterday" }, false],
    [{ id: "", value: 3.5, from: 90 }, false],
  ])("take a payload of several forms if it fits one of them: %j", (payload, valid) => {
    const subject = subjectsOf(modelOf(spec)).find(
      ({ description }) => description === "payload of SensorService.Feed",
    );
    expect(subject?.judge(payload)).toBe(valid);
  });
});
