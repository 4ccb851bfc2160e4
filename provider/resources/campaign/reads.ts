import type { Deployment } from "../../engine/lifecycle";
import { messageOf, ServiceError } from "../../service/errors";
import { readAll } from "../../service/lists";
import type { Listed } from "./listing";
import { sameUrl } from "../urls";

/** Where a campaign is. */
export interface At {
  appId: string;
  campaignId: string;
}

/** What is read of an app's campaigns, shared by all that are declared of it. */
export type Freshness = "fresh" | "recent";

/** The app's whole list of campaigns; throws when it cannot be read to its end. */
export function campaignsOf(appId: string, { service, reads }: Deployment, freshness: Freshness): Promise<Listed[]> {
  return reads[freshness](listKey(appId), () => readAll(service, "campaign.list", { app_id: appId }));
}

/** Runs a request that may change what the list shows: no read from before it may be taken for one from after. */
export async function changing<T>(appId: string, { reads }: Deployment, request: () => Promise<T>): Promise<T> {
  reads.changed(listKey(appId));
  try {
    return await request();
  } finally {
    reads.changed(listKey(appId));
  }
}

/** Why the list could not be read, with how to set its path, which the specification does not show. */
export function unreadable(error: unknown, { service }: Deployment): string {
  const why = messageOf(error);
  const doubt = service.endpoints.doubt("campaign.list");
  return doubt === undefined || why.includes(doubt) ? why : `${why} ${doubt}`;
}

/** Why launching would be refused, as far as the launch-readiness read tells; undefined when nothing speaks against it. */
export async function unreadiness(
  declared: { appId: string; landingPage: string },
  deployment: Deployment,
): Promise<string | undefined> {
  const { service, reads, say } = deployment;
  const { appId, landingPage } = declared;
  if (!service.can("campaign.readiness")) return undefined;
  try {
    const ready = await reads.recent(`readiness of ${appId}`, () =>
      // Once: it only advises, and the list that was read before it grows old.
      service.call("campaign.readiness", { parameters: { app_id: appId }, once: true }),
    );
    if (ready.paymentProviderUnavailable) return noPayment;
    if (ready.landingPage === undefined || sameUrl(ready.landingPage, landingPage)) return undefined;
    return `The service expects the landing page ${ready.landingPage} (campaign.readiness): declare it as landingPage.`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "payment_provider_unavailable") return noPayment;
    // Not shown by the specification: where it is not there, launching works without it.
    if (error.status !== 404 && error.status !== 405)
      say(`Launch readiness of app ${appId} could not be read, so its landing page is not compared: ${error.message}`);
    return undefined;
  }
}

const noPayment =
  "The service cannot reach its payment provider to confirm a card (payment_provider_unavailable), and refuses every launch until then: run `pulumi up` again later.";

function listKey(appId: string): string {
  return `campaigns of ${appId}`;
}
