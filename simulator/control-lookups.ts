import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { bodyOf, id } from "./control-request";
import type { ConnectorField } from "./connectors";
import type { GeoTarget } from "./geo-targets";
import { inviteStatuses, type Member, memberRoles } from "./member-store";
import type { SearchTerm } from "./search-terms";
import type { Service } from "./service";
import type { UserStats } from "./user-stats";
import { anyObject } from "./validation";
import type { WorkflowRun } from "./workflow-runs";

const time = z.iso.datetime();
const count = z.int().nonnegative();

const memberFields: z.ZodType<Partial<Omit<Member, "email">>> = z
  .strictObject({
    access_state: z.string(),
    agents_owned: count,
    agents_shared: count,
    apps_owned: count,
    apps_shared: count,
    assigned_via: z.string(),
    credit_limit: z.number().nullable(),
    credits_used: z.number(),
    full_name: z.string(),
    is_default_limit: z.boolean(),
    last_active: time.nullable(),
    last_seen: time.nullable(),
    role: z.enum(memberRoles),
    status: z.enum(inviteStatuses),
    user_id: z.string().nullable(),
  })
  .exactPartial();
const ofMember = z.strictObject({ email: id });
const memberPut = ofMember.extend({ fields: memberFields.optional() });
const creditLimits = z
  .strictObject({ monthly_limit: z.number().nullable(), default_member_credit_limit: z.number().nullable() })
  .exactPartial();

const geoTarget: z.ZodType<GeoTarget> = z.strictObject({
  resource_name: id,
  name: z.string(),
  canonical_name: z.string(),
  country_code: z.string(),
  target_type: z.string(),
  reach: count,
});
const searchTerm: z.ZodType<Partial<SearchTerm>> = z
  .strictObject({
    search_term: z.string(),
    campaign: z.string(),
    impressions: count,
    clicks: count,
    cost_micros: count,
    conversions: z.number(),
  })
  .exactPartial();

const ofApp = z.strictObject({ appId: id });
const themesPut = ofApp.extend({ themes: z.array(z.string()).nullable() });
const termsPut = ofApp.extend({ source: id.optional(), rows: z.array(searchTerm) });
const sourcePut = ofApp.extend({ source: id, state: z.enum(["failing", "working"]) });
const assetsPut = z.union([
  ofApp.extend({ library: z.array(anyObject) }),
  ofApp.extend({ sessionId: id, session: z.array(anyObject) }),
  ofApp.extend({ campaignId: id, durable: z.array(anyObject) }),
]);

const connectorField: z.ZodType<Partial<ConnectorField>> = z
  .strictObject({
    description: z.string(),
    display_name: z.string(),
    name: id,
    placeholder: z.string(),
    required: z.boolean(),
    validation_error: z.string(),
    validation_pattern: z.string(),
  })
  .exactPartial();
const connectorPut = z.strictObject({ integrationType: id, fields: z.array(connectorField) });
const connectionPut = ofApp.extend({ integrationType: id, values: anyObject.nullable() });

const userCounts: z.ZodType<Partial<UserStats>> = z
  .strictObject({ active_users: count, live_users: count, inactive_7d: count, inactive_30d: count })
  .exactPartial();
const statsPut = ofApp.extend({ fields: userCounts });

const runFields: z.ZodType<Partial<WorkflowRun>> = z
  .strictObject({ status: z.string(), explanation: z.string().nullable(), generated_at: time.nullable() })
  .exactPartial();
const runPut = ofApp.extend({ workflowId: id, runId: id, fields: runFields.optional() });
const modelPut = z.strictObject({ state: z.enum(["available", "unavailable"]) });

/** The part of the control interface that is about what can only be looked up. */
export function lookupControl({ areas: { objects } }: Service) {
  const done = { done: true };
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.put("/objects/members", async (context) => {
    const { email, fields } = memberPut.parse(await bodyOf(context.req));
    return context.json(objects.putMember({ ...fields, email }));
  });
  app.delete("/objects/members", (context) => {
    const { email } = ofMember.parse(context.req.query());
    return context.json({ removed: objects.removeMember(email) });
  });
  app.put("/credit-limits", async (context) => {
    objects.setCreditLimits(creditLimits.parse(await bodyOf(context.req)));
    return context.json(done);
  });

  app.put("/advertising/geo-targets", async (context) => {
    objects.setGeoTargets(z.array(geoTarget).parse(await bodyOf(context.req)));
    return context.json(done);
  });
  app.put("/advertising/search-themes", async (context) => {
    const { appId, themes } = themesPut.parse(await bodyOf(context.req));
    objects.setSearchThemes(appId, themes);
    return context.json(done);
  });
  app.put("/advertising/search-terms", async (context) => {
    const { appId, rows, source } = termsPut.parse(await bodyOf(context.req));
    objects.setSearchTerms(appId, rows, source);
    return context.json(done);
  });
  app.put("/advertising/search-term-sources", async (context) => {
    const { appId, source, state } = sourcePut.parse(await bodyOf(context.req));
    objects.setSearchTermSource(appId, source, state);
    return context.json(done);
  });
  app.put("/advertising/assets", async (context) => {
    const put = assetsPut.parse(await bodyOf(context.req));
    if ("library" in put) objects.setAssetLibrary(put.appId, put.library);
    else if ("session" in put) objects.setAssetSession(put.appId, put.sessionId, put.session);
    else objects.setCampaignAssets(put.appId, put.campaignId, put.durable);
    return context.json(done);
  });

  app.put("/connectors", async (context) => {
    const { integrationType, fields } = connectorPut.parse(await bodyOf(context.req));
    objects.setConnector(integrationType, fields);
    return context.json(done);
  });
  app.put("/connections", async (context) => {
    const { appId, integrationType, values } = connectionPut.parse(await bodyOf(context.req));
    objects.setConnection(appId, integrationType, values);
    return context.json(done);
  });
  app.put("/user-stats", async (context) => {
    const { appId, fields } = statsPut.parse(await bodyOf(context.req));
    return context.json(objects.setUserStats(appId, fields));
  });
  app.put("/workflow-runs", async (context) => {
    const { appId, workflowId, runId, fields } = runPut.parse(await bodyOf(context.req));
    return context.json(objects.putWorkflowRun(appId, workflowId, runId, fields));
  });
  app.put("/language-model", async (context) => {
    objects.setLanguageModel(modelPut.parse(await bodyOf(context.req)).state);
    return context.json(done);
  });

  return app;
}
