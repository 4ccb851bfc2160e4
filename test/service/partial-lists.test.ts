import assert from "node:assert/strict";
import { type ListId, pagesOf, readAll } from "../../provider/service/lists";
import { isOperationId, operations } from "../../provider/service/operations";
import { startSimulator } from "../../simulator";
import { validResponses } from "../hostile/valid-responses";
import { campaign, declared, held, refusal, requests } from "../support/campaigns";
import { startBench } from "../support/deployment";
import { failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";

const open = closedAfterEach();

/** A response with two rows may say this about itself; `says` is the error then. */
const parts: { name: string; status?: number; headers?: Record<string, string>; body?: object; says: RegExp }[] = [
  { name: "status 206", status: 206, says: /is only a part \(status 206\)/ },
  {
    name: "status 206 and the range of its rows",
    status: 206,
    headers: { "content-range": "items 0-1/7" },
    says: /is only a part \(Content-Range: items 0-1\/7\)/,
  },
  {
    name: "a range of unknown length",
    headers: { "content-range": "items 0-1/*" },
    says: /is only a part \(Content-Range: items 0-1\/\*\)/,
  },
  {
    name: "a link to the next page",
    headers: { link: '<https://a.example/?page=0>; rel="prev", </x?page=2>; rel="next"' },
    says: /says that there is more, but gives no new next_cursor/,
  },
  {
    name: "a link to the next page without quotes, among other relations",
    headers: { link: "</x?page=2>; title=a; rel=last; rel=next" },
    says: /says that there is more/,
  },
  {
    name: "a link with several relations",
    headers: { link: '</x?page=2>; REL="last Next"' },
    says: /says that there is more/,
  },
  { name: "a higher total in a header", headers: { "x-total-count": "3" }, says: /has 2 of 3 rows/ },
  { name: "a repeated total in a header", headers: { "x-total-count": "3, 3" }, says: /has 2 of 3 rows/ },
  { name: "an error beside its rows", body: { error: "one region timed out" }, says: /reports an error \(error\)/ },
  { name: "errors beside its rows", body: { errors: [{ message: "m" }] }, says: /reports an error \(errors\)/ },
  {
    name: "errors beside its rows, although it has a cursor",
    body: { errors: { eu: "m" }, has_more: true, next_cursor: "2" },
    says: /reports an error \(errors\)/,
  },
];

const lists = Object.keys(operations).filter(
  (id): id is ListId => isOperationId(id) && id.endsWith(".list") && !["member.list", "asset.list"].includes(id),
);

/** The body of a list with two rows. */
function twoRows(id: ListId, more: object = {}): object {
  const [[key, rows]] = Object.entries(validResponses[id]) as [[string, object[]]];
  const [row] = rows;
  return { [key]: [row, { ...row, id: "other", app_id: "other" }], ...more };
}

const service = async (id: ListId | "member.list", then: object) => {
  const simulator = open(await startSimulator());
  simulator.fault({ operation: id, times: "always", then: { status: 200, ...then } });
  return open(new WatchedService(simulator.url));
};

const anyParameters = { agent_id: "a", app_id: "a", folder_id: "f", entity_name: "E" };

describe("A list that says it is a part", () => {
  it("is tested for every list", () => {
    assert.deepEqual(lists.sort(), ["campaign.list", "folderItem.list", "record.list", "test.list", "webhook.list"]);
  });

  for (const id of lists)
    for (const { name, body, says, ...around } of parts)
      it(`by ${name} cannot be read to its end (${id})`, async () => {
        const client = await service(id, { ...around, body: twoRows(id, body) });
        const failure = await failureOf(readAll(client, id, anyParameters));
        assert.equal(failure.certainty, "uncertain");
        assert.match(failure.reason, /^the list .*, so it cannot be read to its end$/);
        assert.match(failure.reason, says);
        // A row that it does show is still found.
        const first = await pagesOf(client, id, anyParameters).next();
        assert.equal((first.value as unknown[]).length, 2);
      });

  it("also counts as one where it is a bare array", async () => {
    const client = await service("folderItem.list", { body: [{ app_id: "a" }], headers: { "x-total-count": "2" } });
    assert.match((await failureOf(readAll(client, "folderItem.list", anyParameters))).reason, /has 1 of 2 rows/);
  });
});

describe("A list that shows an object twice", () => {
  const twice = /^the list shows the same object twice and may lack another one, so it cannot be read to its end$/;

  for (const id of lists) {
    const [[key, [row]]] = Object.entries(validResponses[id]) as [[string, [object]]];

    it(`cannot be read to its end, although its total is right (${id})`, async () => {
      const client = await service(id, { body: { [key]: [row, row], total: 2 } });
      assert.match((await failureOf(readAll(client, id, anyParameters))).reason, twice);
    });

    it(`on two pages neither (${id})`, async () => {
      const simulator = open(await startSimulator());
      for (const more of [{ next_cursor: "2" }, {}])
        simulator.fault({ operation: id, then: { status: 200, body: { [key]: [row], ...more } } });
      const client = open(new WatchedService(simulator.url));
      assert.match((await failureOf(readAll(client, id, anyParameters))).reason, twice);
    });
  }
});

describe("A list that is complete by its own words", () => {
  for (const [name, around] of Object.entries({
    "the range of all rows": { headers: { "content-range": "items 0-1/2" } },
    "a total that it reaches": { headers: { "x-total-count": "2" } },
    "a total that is not a number": { headers: { "x-total-count": "many" } },
    "links to other pages": { headers: { link: '</x>; rel="prev", </next>; rel="first"; title="rel=next"' } },
    "no errors": { body: { error: null, errors: [] } },
    "an empty error": { body: { error: "", errors: {} } },
    "an error that is false": { body: { error: false } },
  }))
    it(`is accepted with ${name}`, async () => {
      const { body, ...rest } = { body: {}, ...around };
      const client = await service("folderItem.list", { ...rest, body: twoRows("folderItem.list", body) });
      assert.equal((await readAll(client, "folderItem.list", anyParameters)).length, 2);
    });

  it("is followed by its cursor, although a header links to the next page too", async () => {
    const simulator = open(await startSimulator());
    const link = { link: '</x?page=2>; rel="next"', "x-total-count": "2" };
    const page = (app: string, more: object, headers: Record<string, string>) => {
      simulator.fault({
        operation: "folderItem.list",
        then: { status: 200, headers, body: { items: [{ app_id: app }], ...more } },
      });
    };
    page("a", { next_cursor: "2" }, link);
    page("b", {}, { "x-total-count": "2" });
    const client = open(new WatchedService(simulator.url));
    assert.equal((await readAll(client, "folderItem.list", anyParameters)).length, 2);
  });
});

describe("A campaign", () => {
  for (const { name, body = {}, says: _, ...around } of parts)
    it(`is neither launched nor gone by a list with ${name}`, async () => {
      const bench = open(await startBench());
      const then = { status: 200, ...around, body: { campaigns: [{}, {}].map(otherCampaign), ...body } };
      bench.simulator.fault({ operation: "campaign.list", times: "always", then });
      await refusal(campaign.create(declared, bench));
      assert.deepEqual(held(bench), [], "nothing was launched");
      assert.ok(!requests(bench).includes("launch"));
      bench.simulator.clearFaults();

      const next = bench.later();
      const state = await campaign.create(declared, next);
      bench.simulator.fault({ operation: "campaign.list", times: "always", then });
      await assert.rejects(campaign.read(state, bench.later()), /cannot be read to its end/);
    });

  it("is neither launched nor gone by a list that shows another one in its place", async () => {
    const bench = open(await startBench());
    const state = await campaign.create(declared, bench);
    const other = otherCampaign({}, 0);
    const then = { status: 200, body: { campaigns: [other, other], total: 2 } };
    bench.simulator.fault({ operation: "campaign.list", times: "always", then });
    await assert.rejects(campaign.read(state, bench.later()), /shows the same object twice/);
    const next = bench.later();
    assert.match(
      await refusal(campaign.create({ ...declared, campaignName: "Autumn sale" }, next)),
      /the same object twice/,
    );
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });
});

function otherCampaign(_: object, index: number): object {
  return { id: `cmp-other-${String(index)}`, campaign_name: `Other ${String(index)}`, status: "ENABLED" };
}

describe("Another read", () => {
  it("with status 206 is not believed: what it leaves out may exist", async () => {
    const simulator = open(await startSimulator());
    const body = { status: "up_to_date", result: null, ignored_fingerprints: [] };
    simulator.fault({ operation: "scan.get", times: "always", then: { status: 206, body } });
    const failure = await failureOf(open(new WatchedService(simulator.url)).callAny("scan.get"));
    assert.equal(failure.certainty, "uncertain");
    assert.match(failure.reason, /could not be read: it is only a part \(status 206\)/);
  });

  it("of members with an error beside the rows is not believed", async () => {
    const client = await service("member.list", {
      body: { ...validResponses["member.list"], error: "half is missing" },
    });
    const failure = await failureOf(client.callAny("member.list"));
    assert.match(failure.reason, /reports an error \(error\)/);
  });
});

describe("A launch that is answered with 206 and the campaign", () => {
  it("is confirmed, because the response proves that the campaign exists", async () => {
    const bench = open(await startBench());
    const then = { status: 206, body: { campaign: { id: "cmp_1" } } };
    bench.simulator.fault({ operation: "campaign.launch", commit: true, then });
    assert.equal((await campaign.create(declared, bench)).launchState, "confirmed");
  });
});
