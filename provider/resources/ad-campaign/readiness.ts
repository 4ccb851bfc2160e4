import { knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { MessageCode } from "../../service/message-codes";
import { sameUrl } from "../shared/compare";
import type { Deployment } from "../shared/deployment";
import { requireWithinAppBudget } from "./budget";
import type { Inputs } from "./campaign";
import { notLaunched } from "./messages";

/* The checks right before a launch: launch readiness, and what the app may spend a day. */

/** Throws what would refuse the launch. Returns the landing page to send. `without`: the campaigns that are deleted before. */
export async function requireLaunchable(
  inputs: Inputs,
  deployment: Deployment,
  launchedName: string,
  without: readonly string[],
): Promise<string> {
  const { whyNot, landingPage = inputs.landingPage } = await readLaunchReadiness(inputs, deployment);
  if (whyNot !== undefined) throw notLaunched(inputs, whyNot.known, whyNot.next, whyNot.code);
  const { appId, dailyBudgetMicros } = inputs;
  try {
    // On the list that has just decided about the launch.
    await requireWithinAppBudget({ appId, dailyBudgetMicros, launchedName, without }, deployment, "recent");
  } catch (error) {
    const code = error instanceof ProviderError ? error.report.code : undefined;
    throw notLaunched(inputs, knownFrom(error), nextFrom(error), code);
  }
  return landingPage;
}

/** Empty where launch readiness tells nothing. */
interface Readiness {
  /** Why a launch would be refused. */
  whyNot?: { known: string[]; next: string[]; code?: MessageCode };
  /** The declared landing page as the service spells it. */
  landingPage?: string;
}

const noPayment = {
  known: [
    "The service cannot reach its payment provider to confirm a card (payment_provider_unavailable). It refuses every launch until then.",
  ],
  next: ["Run `pulumi up` again later."],
  code: "WA1227" as const,
};

async function readLaunchReadiness(
  { appId, landingPage }: { appId: string; landingPage: string },
  { service, log }: Deployment,
): Promise<Readiness> {
  if (!service.can("campaign.readiness")) return {};
  try {
    const parameters = { app_id: appId };
    // One attempt: it only advises, and the list that was read before it grows old.
    const ready = await service.shareRead("recent", "campaign.readiness", parameters, (reader) =>
      reader.call("campaign.readiness", { parameters, once: true }),
    );
    if (ready.paymentProviderUnavailable) return { whyNot: noPayment };
    if (ready.landingPage === undefined) return {};
    if (sameUrl(ready.landingPage, landingPage)) return { landingPage: ready.landingPage };
    return {
      whyNot: {
        known: [`The service expects the landing page ${ready.landingPage} (campaign.readiness).`],
        next: ["Declare it as landingPage."],
        code: "WA1226",
      },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.serviceCode === "payment_provider_unavailable") return { whyNot: noPayment };
    const doubt = service.endpoints.doubt("campaign.readiness");
    // The launch would be refused too.
    if (error.status === 401 || error.status === 403)
      return {
        whyNot: { known: [...knownFrom(error), ...doubt.known], next: [...nextFrom(error), ...doubt.next] },
      };
    // The specification does not show its path. Where it does not exist, launching works without it.
    if (error.status !== 404 && error.status !== 405)
      log(`The landing page was not compared: launch readiness of app ${appId} could not be read. ${error.message}`);
    return {};
  }
}
