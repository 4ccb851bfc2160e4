import assert from "node:assert/strict";
import fc from "fast-check";
import { isoWithZone } from "../../provider/service/timestamps";

describe("A time that the service stored", () => {
  for (const [stored, iso] of Object.entries({
    "2026-01-02T03:04:05Z": "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.678901": "2026-01-02T03:04:05.678901Z",
    "2026-01-02 03:04:05.5": "2026-01-02T03:04:05.5Z",
    "2026-01-02 03:04:05+00:00": "2026-01-02T03:04:05+00:00",
    "2026-01-02T03:04:05z": "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05-0330": "2026-01-02T03:04:05-03:30",
    "2026-01-02T03:04:05+02": "2026-01-02T03:04:05+02:00",
    "2026-01-02T03:04": "2026-01-02T03:04Z",
    "2026-01-02": "2026-01-02T00:00:00Z",
  }))
    it(`as "${stored}" is returned as ISO 8601 with a zone`, () => {
      assert.equal(isoWithZone(stored), iso);
    });

  it("is rejected when it is not a time", () => {
    for (const text of [
      "",
      "soon",
      "member 7",
      "Fri, 02 Jan 2026 03:04:05 GMT",
      "1767323045",
      "2026-13-01T00:00:00Z",
      "2026-01-02T25:00:00",
      "2026-01-02T03:04:05+99:99",
    ])
      assert.equal(isoWithZone(text), undefined, text);
  });

  it("stays the same moment, and the same text when converted again", () => {
    const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") });
    fc.assert(
      fc.property(moment, fc.constantFrom("Z", ""), fc.constantFrom("T", " "), (date, zone, separator) => {
        const iso = isoWithZone(date.toISOString().replace("T", separator).replace("Z", zone)) ?? "";
        assert.equal(Date.parse(iso), date.getTime());
        assert.equal(isoWithZone(iso), iso);
        assert.match(iso, /^\d{4}-\d\d-\d\dT\S+Z$/);
      }),
    );
  });
});
