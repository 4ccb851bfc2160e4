import assert from "node:assert/strict";
import { lookupFixtures } from "../support/lookup-fixtures";
import { onService } from "./support";

type Fields = Readonly<Record<string, unknown>>;

interface Example {
  /** The object, or one row of the list, as the service sends it. */
  readonly wire: Fields;
  /** Those of its fields that may not be null. All, if left out. */
  readonly required?: readonly string[];
  /** The response with this object. It is the object itself if left out. */
  readonly response?: (wire: Fields) => unknown;
  /** The part of the result that shows it. It is the result itself if left out. */
  readonly part?: (result: Record<string, Fields[]>) => unknown;
  /** Fields whose name in the result is not the same in camelCase; undefined for those that are not shown. */
  readonly names?: Readonly<Record<string, string | undefined>>;
  /** The rest of the result. */
  readonly besides?: (wire: Fields) => Fields;
}

const one = (wire: Fields): unknown => [wire];

const campaign: Example = {
  wire: {
    id: "campaign-1",
    platform_campaign_id: "platform",
    campaign_name: "Name",
    campaign_type: "TYPE",
    status: "any status",
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
  },
  required: ["id", "campaign_name", "status"],
  names: { id: "campaignId" },
};

const webhook: Example = {
  wire: {
    id: "w1",
    target_url: "https://a.example/",
    events: ["message.created"],
    description: "Orders",
    has_secret: true,
    secret: "never shown",
    disabled_at: "2026-01-01T00:00:00",
    last_trigger_time: "2026-01-02T00:00:00",
    consecutive_failures: 20,
    created_date: "2026-01-03T00:00:00",
    updated_date: "2026-01-04T00:00:00",
  },
  required: ["id", "target_url", "events", "has_secret", "created_date"],
  names: { id: "webhookId", secret: undefined },
  besides: (wire) => ({ enabled: wire["disabled_at"] === null }),
};

const examples: Readonly<Record<string, Example>> = {
  getMembers: {
    wire: {
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
    required: ["email", "role"],
    response: (wire) => ({ members: [wire], next_cursor: null, has_more: false, total: 1, monthly_limit: null }),
    part: ({ members }) => members?.[0],
  },
  getCampaigns: { ...campaign, response: one, part: ({ campaigns }) => campaigns?.[0] },
  getCampaign: { ...campaign, response: one },
  getWebhook: webhook,
  getWebhooks: { ...webhook, response: one, part: ({ webhooks }) => webhooks?.[0] },
  getFolderItems: {
    wire: { app_id: "a" },
    response: one,
    part: ({ items }) => items?.[0],
  },
  getRecords: {
    wire: {
      id: "r1",
      country: "DE",
      parts: [{ rate: 19, note: null }],
      created_date: "2026-01-01T00:00:00",
      updated_date: "2026-01-02T00:00:00",
      created_by: "a@example.com",
      created_by_id: "u1",
      is_sample: false,
    },
    required: ["id", "country", "parts"],
    response: one,
    part: ({ records }) => records?.[0],
    names: { id: "recordId", country: undefined, parts: undefined },
    besides: ({ country, parts }) => ({ fields: { country, parts } }),
  },
  getTestFlows: {
    wire: { id: "f1", flow_id: "f1", name: "Checkout", snake_case: null },
    response: one,
    part: ({ tests }) => tests?.[0],
    names: { id: "flowId", flow_id: undefined, name: undefined, snake_case: undefined },
    besides: ({ name, snake_case }) => ({ fields: { name, snake_case } }),
  },
  getLaunchReadiness: {
    wire: { landing_page: "https://a.example/", currency_code: "EUR" },
    required: ["landing_page"],
    besides: () => ({ paymentProviderUnavailable: false, notes: [] }),
  },
  getCodingSession: {
    wire: {
      id: "s",
      state: "completed",
      outcome: "pull_request",
      summary: "Done.",
      error_code: "repository_unavailable",
      pull_request: { number: 7 },
      session_url: "https://editor.example/s",
      repository_full_name: "example/app",
      branch_id: "b1",
      branch_name: "fix",
      message_id: "m1",
      input_request_id: "q1",
      launch_key: "k",
      client_reference: "c",
    },
    required: ["id", "state"],
    names: { id: "sessionId" },
  },
  getGeoTargets: {
    wire: {
      resource_name: "geoTargetConstants/1006094",
      name: "Paris",
      canonical_name: "Paris,Ile-de-France,France",
      country_code: "FR",
      target_type: "City",
      reach: 2_100_000,
      search_term: "paris",
    },
    required: ["resource_name"],
    response: one,
    part: ({ targets }) => targets?.[0],
  },
  getSearchThemes: { wire: { search_themes: ["pots"] }, besides: () => ({ notes: [] }) },
  getSearchTerms: {
    wire: { search_term: "pots", campaign: "Spring", impressions: 3, clicks: 1, cost_micros: 9, conversions: 0.5 },
    required: ["search_term"],
    response: one,
    part: ({ terms }) => terms?.[0],
  },
  getAdAssets: {
    wire: { status: "ACCEPTED", accepted_campaign_id: "cmp_1", accepted_resource_names: ["r"], image_url: "u" },
    required: ["image_url"],
    response: (wire) => ({ library: [wire] }),
    part: ({ library }) => library?.[0],
    names: { image_url: undefined },
    besides: (wire) => ({ fields: wire }),
  },
  getSecurityScan: {
    // The shapes of the findings are not documented.
    wire: {
      analysis_summary: "summary",
      rls_recommendations: [{ entity: "Order" }],
      hardcoded_secrets: ["text"],
      backend_functions: [7],
      dependency_vulnerabilities: [["left-pad"]],
      static_code_findings: [null],
      header_recommendations: [true],
      core_integration_recommendation: "anything at all",
      scanned_at: "2026-01-01T00:00:00",
    },
    required: [],
    response: (result) => ({ status: "up_to_date", static_code_enabled: true, ignored_fingerprints: [], result }),
    part: ({ result }) => result,
  },
  getConnectorFields: {
    wire: {
      name: "subdomain",
      display_name: "Subdomain",
      description: "The first part of your address",
      placeholder: "my-company",
      required: false,
      validation_error: "Letters, digits and hyphens",
      validation_pattern: "^[a-z0-9-]+$",
    },
    required: ["name"],
    response: (wire) => ({ fields: [wire], connection_config: {} }),
    part: ({ fields }) => fields?.[0],
  },
  getUserStats: {
    wire: { active_users: 12, live_users: 3, inactive_7d: 5, inactive_30d: 2 },
    besides: () => ({ zeros: [], notes: [] }),
  },
  explainRun: {
    wire: { explanation: "Because.", generated_at: "2026-01-01T00:00:00" },
    required: ["explanation"],
    besides: () => ({ outcome: "explained" }),
  },
};

/** The result of a program: names in camelCase, times with a zone, and no field that is null. */
function expected({ names = {}, besides = () => ({}) }: Example, wire: Fields): Fields {
  const fields = Object.entries(wire).flatMap(([name, value]): [string, unknown][] => {
    const shownAs = name in names ? names[name] : name.replaceAll(/_(.)/g, (_, next: string) => next.toUpperCase());
    const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value);
    return shownAs === undefined || value === null ? [] : [[shownAs, isTime ? `${value}Z` : value]];
  });
  return { ...Object.fromEntries(fields), ...besides(wire) };
}

describe("The result", () => {
  const { ask, simulator } = onService();

  for (const { lookup, args } of lookupFixtures) {
    const example = examples[lookup.name] ?? assert.fail(`${lookup.name} has no example`);
    const { wire, required, response = (wire) => wire, part = (result) => result } = example;
    const shown = async (wire: Fields): Promise<unknown> => {
      simulator.fault({ operation: lookup.operation, then: { status: 200, body: response(wire) as object } });
      return part(await ask(lookup, args));
    };

    it(`of ${lookup.name} has every field of the response under its own name, times with a zone`, async () => {
      assert.deepEqual(await shown(wire), expected(example, wire));
    });

    if (required !== undefined)
      it(`of ${lookup.name} lacks the fields that are null in the response`, async () => {
        const fields = Object.entries(wire).map(([name, value]) => [name, required.includes(name) ? value : null]);
        const empty = Object.fromEntries(fields) as Fields;
        assert.deepEqual(await shown(empty), expected(example, empty));
      });
  }
});
