import assert from "node:assert/strict";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup } from "../../provider/lookups/campaigns";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { membersLookup } from "../../provider/lookups/members";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { searchThemesLookup } from "../../provider/lookups/search-themes";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { webhookLookup } from "../../provider/lookups/webhook";
import type { GivenMember } from "../../simulator";
import { send } from "../simulator/support";
import { onService } from "./support";

const page = (members: object[], more: object = {}): object => ({
  members,
  next_cursor: null,
  has_more: false,
  total: members.length,
  monthly_limit: null,
  default_member_credit_limit: null,
  ...more,
});

describe("getMembers, by the specification", () => {
  const { ask, failure, simulator } = onService();
  const bodies = (): unknown[] => simulator.requests.map(({ body }) => body);
  const answers = (body: object): void => {
    simulator.fault({ operation: "member.list", then: { status: 200, body } });
  };
  const names = async (args: object): Promise<string[]> =>
    (await ask(membersLookup, args)).members.map(({ email }) => email.replace(/@.*/, ""));

  it("gives every field of a member under its own name, times with a zone", async () => {
    answers(
      page([
        {
          access_state: "state",
          agents_owned: 1,
          agents_shared: 2,
          apps_owned: 3,
          apps_shared: 4,
          assigned_via: "via",
          credit_limit: 5.5,
          credits_used: 6.25,
          email: "a@example.com",
          full_name: "Name",
          is_default_limit: false,
          last_active: "2026-01-02T03:04:05",
          last_seen: "2026-02-03T04:05:06.700",
          role: "viewer",
          status: "status",
          user_id: "user",
        },
      ]),
    );
    assert.deepEqual((await ask(membersLookup, {})).members, [
      {
        accessState: "state",
        agentsOwned: 1,
        agentsShared: 2,
        appsOwned: 3,
        appsShared: 4,
        assignedVia: "via",
        creditLimit: 5.5,
        creditsUsed: 6.25,
        email: "a@example.com",
        fullName: "Name",
        isDefaultLimit: false,
        lastActive: "2026-01-02T03:04:05Z",
        lastSeen: "2026-02-03T04:05:06.700Z",
        role: "viewer",
        status: "status",
        userId: "user",
      },
    ]);
  });

  it("leaves a time out that there is not, however the service writes that", async () => {
    const row = { email: "a@example.com", role: "owner" };
    for (const none of [{}, { last_active: null, last_seen: null }, { last_active: "", last_seen: "" }]) {
      answers(page([{ ...row, ...none }]));
      // Another search, because equal look-ups share one answer.
      const { members } = await ask(membersLookup, { search: JSON.stringify(none) });
      assert.deepEqual(members, [row]);
    }
  });

  it("takes any value of access_state, assigned_via and status, and a role that is not known yet", async () => {
    const [access_state, assigned_via, status, role] = ["ASLEEP", "carrier pigeon", "", "emperor"];
    answers(page([{ email: "a@example.com", access_state, assigned_via, status, role }]));
    const { members } = await ask(membersLookup, {});
    assert.deepEqual(members, [
      { email: "a@example.com", accessState: access_state, assignedVia: assigned_via, status, role },
    ]);
  });

  it("leaves the credit limits out where the service says null, which is unlimited", async () => {
    const { monthlyLimit, defaultMemberCreditLimit, ...result } = await ask(membersLookup, {});
    assert.deepEqual([monthlyLimit, defaultMemberCreditLimit, result.total], [undefined, undefined, 5]);
    simulator.objects.setCreditLimits({ monthly_limit: 0, default_member_credit_limit: 0 });
    const none = await ask(membersLookup, { pageSize: 50 });
    assert.deepEqual([none.monthlyLimit, none.defaultMemberCreditLimit], [0, 0], "0 is a limit");
  });

  describe("in a workspace of its own", () => {
    const people: GivenMember[] = [
      { email: "one@example.com", full_name: "Zora", role: "owner", apps_owned: 1, apps_shared: 2, credits_used: 4 },
      { email: "two@example.com", full_name: "Yves", role: "admin", agents_owned: 2, agents_shared: 2 },
      { email: "three@example.com", role: "editor", credit_limit: 20, is_default_limit: true, credits_used: 9 },
      { email: "four@example.com", full_name: "Xena", role: "viewer", credit_limit: 20, is_default_limit: false },
      { email: "five@example.com", role: "guest", last_active: "2026-01-02T00:00:00.000Z", agents_shared: 3 },
      { email: "six@example.com", role: "guest", status: "pending" },
      { email: "seven@example.com", role: "guest", status: "expired" },
    ];
    beforeEach(() => {
      simulator.objects.setMembers(people);
    });

    it("finds a term in email, name, role or status, in whatever case, and one of several terms", async () => {
      for (const [term, expected] of [
        ["FOUR@Ex", ["four"]],
        ["YVE", ["two"]],
        ["wner", ["one"]],
        ["PENDING", ["six"]],
      ] as const) {
        assert.deepEqual(await names({ search: term }), expected, term);
        assert.deepEqual(await names({ searchTerms: ["nobody", term] }), expected, term);
      }
    });

    it("sorts by each of the six keys in both directions", async () => {
      const joined = { inviteStatuses: ["joined"] };
      for (const [sortBy, ascending, descending] of [
        ["member", "five three four two one", "one two four three five"],
        ["credits", "two four five one three", "three one two four five"],
        ["apps", "two three four five one", "one two three four five"],
        ["agents", "one three four five two", "two five one three four"],
        ["last_active", "five one two three four", "five one two three four"],
        ["role", "one two three four five", "five four three two one"],
      ] as const) {
        assert.equal((await names({ ...joined, sortBy, sortDir: "asc" })).join(" "), ascending, sortBy);
        assert.equal((await names({ ...joined, sortBy, sortDir: "desc" })).join(" "), descending, sortBy);
      }
    });

    it("filters by each role and each status of an invitation", async () => {
      for (const [filter, expected] of [
        [{ roles: ["owner"] }, ["one"]],
        [{ roles: ["admin"] }, ["two"]],
        [{ roles: ["editor"] }, ["three"]],
        [{ roles: ["viewer"] }, ["four"]],
        [{ roles: ["guest"] }, ["five", "seven", "six"]],
        [{ inviteStatuses: ["joined"] }, ["one", "two", "three", "four", "five"]],
        [{ inviteStatuses: ["pending"] }, ["six"]],
        [{ inviteStatuses: ["expired"] }, ["seven"]],
        [{ roles: ["guest", "owner"], inviteStatuses: ["pending", "joined"] }, ["one", "five", "six"]],
      ] as const)
        assert.deepEqual(await names(filter), expected, JSON.stringify(filter));
    });

    it("counts the workspace's default limit as none of one's own", async () => {
      assert.deepEqual(await names({ creditLimitSet: true }), ["four"]);
      assert.deepEqual(await names({ creditLimitSet: false }), ["one", "two", "three", "five", "seven", "six"]);
    });

    it("takes apps and agents, owned and shared, together, with both bounds", async () => {
      assert.deepEqual(await names({ appsOwned: { gte: 3, lte: 3 } }), ["one"]);
      assert.deepEqual(await names({ agentsOwned: { gte: 4 } }), ["two"]);
      assert.deepEqual(await names({ agentsOwned: { gte: 1, lte: 3 } }), ["five"]);
      assert.deepEqual(await names({ appsOwned: { lte: 0 }, roles: ["owner", "admin"] }), ["two"]);
    });

    it("matches by last activity only who used credits", async () => {
      assert.deepEqual(await names({ lastActive: {} }), ["five"]);
      assert.deepEqual(await names({ lastActive: { lte: "2026-01-02T00:00:00" } }), ["five"]);
      assert.deepEqual(await names({ lastActive: { gte: "2026-01-02T00:00:00.001Z" } }), []);
    });
  });

  it("takes lists and texts as long as they may be", async () => {
    await ask(membersLookup, { roles: Array(20).fill("owner") });
    await ask(membersLookup, { inviteStatuses: ["joined", "pending", "expired"] });
    await ask(membersLookup, { search: "x".repeat(256), searchTerms: Array(200).fill("x".repeat(256)) });
    assert.deepEqual(
      simulator.requests.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.match(await failure(membersLookup, { inviteStatuses: ["lost"] }), /must be one of "joined"/);
  });

  it("asks for 100 a page, where the service would give 50, and for 1 where that is wanted", async () => {
    simulator.objects.setMembers(
      Array.from({ length: 120 }, (_, index) => ({ email: `${String(index)}@example.com` })),
    );
    assert.equal((await ask(membersLookup, {})).members.length, 120);
    assert.deepEqual(bodies(), [{ page_size: 100 }, { page_size: 100, cursor: "members-after-100" }]);
    const { text } = await send(simulator, "POST", "/api/workspace/members/list", { body: {} });
    const { members, total } = JSON.parse(text) as { members: unknown[]; total: number };
    assert.deepEqual([members.length, total], [50, 120]);
    simulator.objects.setMembers([{ email: "a@example.com" }, { email: "b@example.com" }]);
    assert.deepEqual(await names({ pageSize: 1 }), ["a", "b"]);
  });

  it("stops where has_more is false, whatever next_cursor says", async () => {
    answers(page([{ email: "a@example.com", role: "owner" }], { next_cursor: "further" }));
    assert.equal((await ask(membersLookup, {})).members.length, 1);
    assert.equal(simulator.requests.length, 1);
  });
});

describe("getMembers of who is neither owner nor admin, by the specification", () => {
  const { ask } = onService(
    { accessToken: "editor" },
    {
      members: [
        { email: "one@example.com", role: "owner", credits_used: 3, last_seen: "2026-01-01T00:00:00.000Z" },
        { email: "two@example.com", user_id: "me", credits_used: 5, last_seen: "2026-01-02T00:00:00.000Z" },
        { email: "three@example.com", role: "viewer", credits_used: 9 },
      ],
      credentials: [{ value: "editor", kind: "personal-token", user: "me", role: "editor" }],
    },
  );

  it("has credits and last visits in one's own row alone, in the default order where credits were asked for", async () => {
    const { members } = await ask(membersLookup, { sortBy: "credits", sortDir: "desc" });
    assert.deepEqual(
      members.map(({ email, creditsUsed, lastSeen }) => [email, creditsUsed, lastSeen]),
      [
        ["one@example.com", undefined, undefined],
        ["two@example.com", 5, "2026-01-02T00:00:00.000Z"],
        ["three@example.com", undefined, undefined],
      ],
    );
  });
});

describe("Look-ups for advertising, by the specification", () => {
  const { ask, failure, simulator } = onService();
  const queries = (): string[] => simulator.requests.map(({ path }) => path.split("?")[1] ?? "");

  it("find locations without an account, also by one letter, and all without a query", async () => {
    assert.equal(simulator.objects.advertisingAccount("a"), undefined);
    const one = await ask(geoTargetsLookup, { appId: "a", query: "b", countryCode: "de" });
    assert.deepEqual(
      one.targets.map(({ name }) => name),
      ["Berlin", "Munich"],
    );
    const all = await ask(geoTargetsLookup, { appId: "a" });
    assert.equal(all.targets.length, simulator.objects.geoTargets().length);
    assert.deepEqual(queries(), ["query=b&country_code=DE", "query="]);
  });

  it("keep the order of the matches, where a better one comes before one that reaches more", async () => {
    const place = (name: string, canonical_name: string, reach: number) => ({
      ...{ resource_name: `id/${canonical_name}`, name, canonical_name, reach },
      ...{ country_code: "CH", target_type: "City" },
    });
    simulator.objects.setGeoTargets([
      place("Chur", "Chur,Ulm Valley", 900),
      place("Ulmen", "Ulmen", 50),
      place("Ulm", "Ulm", 1),
    ]);
    const { targets } = await ask(geoTargetsLookup, { appId: "a", query: "ulm" });
    assert.deepEqual(
      targets.map(({ name, reach }) => [name, reach]),
      [
        ["Ulm", 1],
        ["Ulmen", 50],
        ["Chur", 900],
      ],
    );
  });

  it("give from 1 to 100 locations, and ask for no number, whose name is not shown", async () => {
    const [first] = simulator.objects.geoTargets();
    assert.ok(first);
    simulator.objects.setGeoTargets(Array.from({ length: 150 }, () => first));
    for (const limit of [1, 100]) {
      const { targets, leftOut } = await ask(geoTargetsLookup, { appId: "a", limit });
      assert.deepEqual([targets.length, leftOut], [limit, 100 - limit]);
    }
    assert.deepEqual(queries(), ["query=", "query="]);
  });

  it("suggest themes from the whole context, and save nothing", async () => {
    const before = simulator.objects.all();
    const args = {
      appId: "a",
      businessName: "Pots",
      businessDescription: "Pans",
      landingPageUrl: "https://a.example/",
    };
    const { searchThemes } = await ask(searchThemesLookup, args);
    assert.deepEqual(
      searchThemes.map((theme) => theme.replace(/.*(Pots|Pans).*/, "$1")),
      [...Array<string>(4).fill("Pots"), ...Array<string>(4).fill("Pans")],
    );
    assert.deepEqual(simulator.requests[0]?.body, {
      business_name: "Pots",
      business_description: "Pans",
      landing_page_url: "https://a.example/",
    });
    assert.equal(simulator.requests.length, 1);
    assert.deepEqual(simulator.objects.all(), before);
  });

  it("suggest in English where the language is unsupported or not given", async () => {
    for (const language of [undefined, "xx"]) {
      const { searchThemes } = await ask(searchThemesLookup, { appId: "a", businessName: "Pots", language });
      assert.equal(searchThemes[0], "Pots near me");
    }
  });

  it("suggest at most ten themes of at most 80 characters", async () => {
    simulator.objects.setSearchThemes("a", ["x".repeat(81), "y".repeat(80), ...Array<string>(11).fill("theme")]);
    const { searchThemes } = await ask(searchThemesLookup, { appId: "a" });
    assert.deepEqual(searchThemes, ["y".repeat(80), ...Array<string>(9).fill("theme")]);
  });

  it("report search terms for each of the thirteen ranges, and for the service's own without one", async () => {
    const ranges = [
      ...["TODAY", "YESTERDAY", "LAST_7_DAYS", "LAST_14_DAYS", "LAST_30_DAYS", "LAST_90_DAYS"],
      ...["THIS_WEEK_MON_TODAY", "THIS_WEEK_SUN_TODAY", "LAST_WEEK_MON_SUN", "LAST_WEEK_SUN_SAT"],
      ...["LAST_BUSINESS_WEEK", "THIS_MONTH", "LAST_MONTH"],
    ];
    for (const dateRange of ranges) await ask(searchTermsLookup, { appId: "a", dateRange });
    await ask(searchTermsLookup, { appId: "a" });
    assert.deepEqual(queries(), [...ranges.map((range) => `date_range=${range}`), ""]);
    assert.ok(simulator.requests.every(({ status }) => status === 200));
  });

  it("send dates beside a range as they are, and let the service decide for the dates", async () => {
    const days = { startDate: "2026-02-01", endDate: "2026-02-01" };
    await ask(searchTermsLookup, { appId: "a", dateRange: "TODAY", ...days });
    assert.deepEqual(queries(), ["date_range=TODAY&start_date=2026-02-01&end_date=2026-02-01"]);
    assert.equal(simulator.requests[0]?.status, 200);
  });

  it("keep the terms with the most impressions first, and lack those of a read that failed", async () => {
    const rows = [1, 3].map((impressions) => ({ search_term: String(impressions), impressions }));
    simulator.objects.setSearchTerms("a", rows);
    simulator.objects.setSearchTerms("a", [{ search_term: "2", impressions: 2 }], "PERFORMANCE_MAX");
    const terms = async (appId: string) =>
      (await ask(searchTermsLookup, { appId, dateRange: "TODAY" })).terms.map(({ searchTerm }) => searchTerm);
    assert.deepEqual(await terms("a"), ["3", "2", "1"]);
    simulator.objects.setSearchTerms("b", rows);
    simulator.objects.setSearchTerms("b", [{ search_term: "2", impressions: 2 }], "PERFORMANCE_MAX");
    simulator.objects.setSearchTermSource("b", "SMART", "failing");
    assert.deepEqual(await terms("b"), ["2"]);
  });

  it("list what is attached to a campaign by the service's id alone", async () => {
    const { id, platform_campaign_id } = simulator.objects.putCampaign("a");
    simulator.objects.setCampaignAssets("a", id, [{ asset: 1 }]);
    assert.deepEqual((await ask(adAssetsLookup, { appId: "a", campaignId: id })).durable, [{ asset: 1 }]);
    assert.match(
      await failure(adAssetsLookup, { appId: "a", campaignId: platform_campaign_id }),
      /^getAdAssets: asset\.list .*404/,
    );
  });

  it("list the 5,000 newest assets, the newest first", async () => {
    simulator.objects.setAssetLibrary(
      "a",
      Array.from({ length: 5_002 }, (_, age) => ({ age })),
    );
    const { library } = await ask(adAssetsLookup, { appId: "a" });
    assert.deepEqual(
      library?.map(({ fields }) => fields["age"]),
      Array.from({ length: 5_000 }, (_, age) => age),
    );
  });
});

describe("Assets without a campaign, by the specification", () => {
  const { ask, failure, simulator, later } = onService(
    {},
    {
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "limited", kind: "personal-token", apps: ["other"] },
      ],
    },
  );

  it("are answered with 200, 401 or 403, and nothing else", async () => {
    for (const sessionId of [undefined, "of nothing"]) await ask(adAssetsLookup, { appId: "nowhere", sessionId });
    later({ accessToken: "unknown" });
    assert.match(await failure(adAssetsLookup, { appId: "a" }), /^getAdAssets: .*401/);
    later({ accessToken: "limited" });
    assert.match(await failure(adAssetsLookup, { appId: "a" }), /^getAdAssets: .*403/);
    assert.deepEqual(
      simulator.requests.map(({ status }) => status),
      [200, 200, 401, 403],
    );
  });
});

describe("Look-ups of an app, by the specification", () => {
  const { ask, simulator } = onService();

  it("give each group of a scan under its own name, whatever its items are", async () => {
    const result = {
      analysis_summary: "summary",
      rls_recommendations: [{ entity: "Order" }],
      hardcoded_secrets: ["text"],
      backend_functions: [7],
      dependency_vulnerabilities: [["left-pad"]],
      static_code_findings: [null],
      header_recommendations: [true],
      core_integration_recommendation: "anything at all",
    };
    simulator.objects.setScan("a", { status: "up_to_date", static_code_enabled: true, result });
    const scan = await ask(securityScanLookup, { appId: "a" });
    assert.deepEqual(scan.result, {
      analysisSummary: "summary",
      rlsRecommendations: [{ entity: "Order" }],
      hardcodedSecrets: ["text"],
      backendFunctions: [7],
      dependencyVulnerabilities: [["left-pad"]],
      staticCodeFindings: [null],
      headerRecommendations: [true],
      coreIntegrationRecommendation: "anything at all",
      scannedAt: "2026-01-01T00:00:00.000Z",
    });
    assert.deepEqual([scan.inconclusiveGroups, scan.staticCodeEnabled, scan.notes], [[], true, []]);
  });

  it("give a scan's status whatever the result, and the result whatever the status", async () => {
    for (const status of ["none", "up_to_date", "pending", "of a later version"])
      for (const [name, result] of [
        ["null", null],
        ["empty", {}],
      ] as const) {
        const body = { status, result, static_code_enabled: false, ignored_fingerprints: [] };
        simulator.fault({ operation: "scan.get", then: { status: 200, body } });
        const scan = await ask(securityScanLookup, { appId: `${status} ${name}` });
        assert.deepEqual([scan.status, scan.result], [status, result ?? undefined]);
      }
  });

  it("give a connector's field that need not be filled in as such", async () => {
    const { fields } = await ask(connectorFieldsLookup, { appId: "a", integrationType: "example-crm" });
    assert.deepEqual(
      fields.map(({ name, required }) => [name, required]),
      [
        ["subdomain", true],
        ["region", false],
      ],
    );
  });

  it("take a user count of 0 at its value, with the status 200", async () => {
    const none = { active_users: 0, live_users: 0, inactive_7d: 0, inactive_30d: 0 };
    simulator.objects.setUserStats("a", none);
    const { notes, zeros, ...counts } = await ask(userStatsLookup, { appId: "a" });
    assert.deepEqual(counts, { activeUsers: 0, liveUsers: 0, inactive7d: 0, inactive30d: 0 });
    assert.deepEqual(zeros, Object.keys(counts));
    assert.equal(notes.length, 1);
  });

  it("have a run explained once: a later run of the program gets the stored text", async () => {
    const at = { appId: "a", workflowId: "w", runId: "r" };
    simulator.objects.putWorkflowRun("a", "w", "r");
    const first = await ask(runExplanationLookup, at);
    simulator.objects.setLanguageModel("unavailable");
    // As one that waited for a resource, it shares no answer with the first.
    assert.deepEqual(await ask(runExplanationLookup, at, "urn:later"), first);
    assert.equal(simulator.requests.length, 2);
  });
});

describe("Look-ups of what resources manage, by the specification", () => {
  const { ask, simulator } = onService();

  it("give every field of a campaign under its own name, whatever its statuses are, times with a zone", async () => {
    const row = {
      id: "cmp_1",
      platform_campaign_id: "platform",
      campaign_name: "Name",
      campaign_type: "TYPE",
      status: "STATUS",
      daily_budget_micros: 7,
      landing_page: "https://a.example/",
      geo_targets: ["geo"],
      phone_number: "+41",
      review_status: "any review",
      serving_status: "any serving",
      primary_status: "any primary",
      primary_status_reasons: ["reason"],
      created_date: "2026-01-01T00:00:00",
      updated_date: "2026-01-02T00:00:00",
      learning_ends_at: "2026-01-03T00:00:00",
    };
    simulator.fault({ operation: "campaign.list", then: { status: 200, body: [row] } });
    assert.deepEqual(await ask(campaignLookup, { appId: "a", campaignId: "cmp_1" }), {
      campaignId: "cmp_1",
      platformCampaignId: "platform",
      campaignName: "Name",
      campaignType: "TYPE",
      status: "STATUS",
      dailyBudgetMicros: 7,
      landingPage: "https://a.example/",
      geoTargets: ["geo"],
      phoneNumber: "+41",
      reviewStatus: "any review",
      servingStatus: "any serving",
      primaryStatus: "any primary",
      primaryStatusReasons: ["reason"],
      createdDate: "2026-01-01T00:00:00Z",
      updatedDate: "2026-01-02T00:00:00Z",
      learningEndsAt: "2026-01-03T00:00:00Z",
    });
  });

  it("give the kind of failure of a delivery without an answer, and nothing of deliveries before the first", async () => {
    const [failing, fresh] = [simulator.objects.putWebhook("agent"), simulator.objects.putWebhook("agent")];
    simulator.deliver("agent", failing.id, { ok: false, errorType: "timeout" });
    const failed = await ask(webhookLookup, { agentId: "agent", webhookId: failing.id });
    assert.deepEqual([failed.lastError?.errorType, failed.consecutiveFailures, failed.enabled], ["timeout", 1, true]);
    assert.ok(!("statusCode" in (failed.lastError ?? {})));
    const { lastTriggerTime, lastError, disabledAt, consecutiveFailures } = await ask(webhookLookup, {
      agentId: "agent",
      webhookId: fresh.id,
    });
    assert.deepEqual(
      [lastTriggerTime, lastError, disabledAt, consecutiveFailures],
      [undefined, undefined, undefined, 0],
    );
  });
});
