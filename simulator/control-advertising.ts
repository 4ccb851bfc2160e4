import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { bodyOf, id } from "./control-request";
import { accountFields, campaignFields } from "./control-shapes";
import type { Service } from "./service";

const ofApp = z.strictObject({ appId: id });
const accountPut = ofApp.extend({ fields: accountFields.optional() });
const conversionsPut = ofApp.extend({
  goals: z.array(z.string()).optional(),
  enabledMappings: z.int().nonnegative().optional(),
  conversionId: z.string().optional(),
});
const ofCampaign = ofApp.extend({ campaignId: id });

const campaignPut = ofApp.extend({ campaignId: id.optional(), fields: campaignFields });
const landingPagePut = ofApp.extend({ landingPage: z.string().min(1).nullable() });
const conditionsPut = z.strictObject({
  paymentProvider: z.enum(["reachable", "unreachable"]).optional(),
  billingHold: z.boolean().optional(),
});

/** The part of the control interface that is about campaigns, what their launches depend on, and conversions. */
export function advertisingControl({ areas: { objects, advertising } }: Service) {
  const done = { done: true };
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.put("/objects/campaigns", async (context) => {
    const { appId, campaignId, fields } = campaignPut.parse(await bodyOf(context.req));
    if (campaignId === undefined) return context.json(objects.putCampaign(appId, fields));
    const exists = objects.campaign(appId, campaignId) !== undefined;
    return context.json(
      exists
        ? objects.changeCampaign(appId, campaignId, fields)
        : objects.putCampaign(appId, { ...fields, id: campaignId }),
    );
  });
  app.delete("/objects/campaigns", (context) => {
    const { appId, campaignId } = ofCampaign.parse(context.req.query());
    return context.json({ removed: objects.removeCampaign(appId, campaignId) });
  });
  app.get("/launches", (context) => {
    const { appId } = ofApp.partial().parse(context.req.query());
    return context.json({ launches: objects.launches(appId) });
  });

  app.put("/advertising", async (context) => {
    const { paymentProvider, billingHold } = conditionsPut.parse(await bodyOf(context.req));
    if (paymentProvider !== undefined) advertising.setPaymentProvider(paymentProvider);
    if (billingHold !== undefined) advertising.setBillingHold(billingHold);
    return context.json(done);
  });
  app.put("/advertising/landing-pages", async (context) => {
    const { appId, landingPage } = landingPagePut.parse(await bodyOf(context.req));
    advertising.setLandingPage(appId, landingPage);
    return context.json(done);
  });
  app.put("/advertising/accounts", async (context) => {
    const { appId, fields } = accountPut.parse(await bodyOf(context.req));
    return context.json(objects.putAdvertisingAccount(appId, fields));
  });
  app.put("/advertising/conversions", async (context) => {
    const { appId, goals, enabledMappings, conversionId } = conversionsPut.parse(await bodyOf(context.req));
    if (goals !== undefined) objects.setConversionGoals(appId, goals);
    if (enabledMappings !== undefined) objects.setConversionMappings(appId, enabledMappings);
    if (conversionId !== undefined) objects.setConversionTag(appId, conversionId);
    return context.json(done);
  });
  app.post("/advertising/tracking", async (context) => {
    advertising.trackingVerified(ofApp.parse(await bodyOf(context.req)).appId);
    return context.json(done);
  });

  return app;
}
