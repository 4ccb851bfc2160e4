import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import { campaignBody, onSimulator } from "./support";

interface Prompt {
  composer_prompt: string;
  conversion_id: string;
  actions_created_or_existing: number;
  wired_mappings: number;
}

const standard = [
  ...["PURCHASE", "ADD_TO_CART", "BEGIN_CHECKOUT", "SIGNUP", "SUBMIT_LEAD_FORM", "CONTACT", "REQUEST_QUOTE"],
  ...["BOOK_APPOINTMENT", "SUBSCRIBE_PAID", "PHONE_CALL_LEAD"],
];

describe("The simulator's conversion tracking", () => {
  const { simulator, post } = onSimulator();

  const ask = (body: unknown) => post("/api/apps/a/ads-platform/tracking-scan/build-bootstrap-prompt", body);
  const launch = (more = {}) => post("/api/apps/a/ads-platform/launch", { campaign: campaignBody, ...more });
  const bootstrap = async (wire_events = false) => (await ask({ wire_events })).json as unknown as Prompt;

  it("is skipped without an advertising account: an empty prompt, a reason and no other field", async () => {
    const { status, json } = await ask({ wire_events: true });
    assert.deepEqual([status, json], [200, { composer_prompt: "", skipped_reason: "no_ads_account" }]);
    assert.deepEqual(simulator.objects.conversionGoals("a"), []);
  });

  it("creates the ten goals once, on the account that a launch created", async () => {
    await launch();
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { json } = await ask({ wire_events: false });
      const { composer_prompt, ...rest } = json as unknown as Prompt;
      assert.match(composer_prompt, /tag-7000000001/);
      assert.deepEqual(rest, { conversion_id: "tag-7000000001", actions_created_or_existing: 10, wired_mappings: 0 });
      assert.equal(operations["tracking.bootstrap"].answer.parse(json).skipped_reason, undefined);
      assert.deepEqual(simulator.objects.conversionGoals("a"), standard);
    }
    assert.deepEqual(simulator.objects.conversionGoals("b"), []);
  });

  it("adds only the missing goals, and counts all existing ones", async () => {
    simulator.objects.putAdvertisingAccount("a");
    simulator.objects.setConversionGoals("a", ["OWN", "CONTACT"]);
    assert.equal((await bootstrap()).actions_created_or_existing, 11);
    const others = standard.filter((goal) => goal !== "CONTACT");
    assert.deepEqual(simulator.objects.conversionGoals("a"), ["OWN", "CONTACT", ...others]);
    assert.deepEqual(simulator.objects.all().conversionGoals, { a: ["OWN", "CONTACT", ...others] });
  });

  it("wires each enabled mapping, or reports the offered categories when none is enabled", async () => {
    simulator.objects.putAdvertisingAccount("a");
    assert.equal((await bootstrap(true)).wired_mappings, 10);
    simulator.objects.setConversionMappings("a", 3);
    assert.equal((await bootstrap(true)).wired_mappings, 3);
    assert.equal((await bootstrap(false)).wired_mappings, 0);
  });

  it("has an empty conversion id when the prompt says to look it up", async () => {
    simulator.objects.putAdvertisingAccount("a");
    simulator.objects.setConversionTag("a", "");
    const { conversion_id, composer_prompt } = await bootstrap();
    assert.equal(conversion_id, "");
    assert.match(composer_prompt, /^Look up/);
  });

  it("accepts only an optional boolean", async () => {
    simulator.objects.putAdvertisingAccount("a");
    assert.equal(((await ask({})).json as unknown as Prompt).wired_mappings, 0);
    for (const body of [{ wire_events: "yes" }, { wire_events: null }, "[]", ""])
      assert.equal((await ask(body)).status, 422);
  });

  it("finds an account that was added by hand, which a launch then uses", async () => {
    const { objects } = simulator;
    const account = objects.putAdvertisingAccount("a", { timezone: "Europe/Zurich" });
    assert.deepEqual(objects.advertisingAccount("a"), account);
    assert.equal(objects.putAdvertisingAccount("a", { status: "SUSPENDED" }).id, account.id);
    const { json } = await launch({ timezone: "Asia/Tokyo" });
    assert.deepEqual(json.account, { ...account, status: "SUSPENDED" });
    assert.notEqual(objects.putAdvertisingAccount("b").id, account.id);
  });
});
