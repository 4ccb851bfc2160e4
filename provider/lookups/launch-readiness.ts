import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import type { ServiceClient } from "../service/client";
import { ProviderError, ServiceError } from "../service/errors";
import type { Answer } from "../service/operations";
import { notesOf, withoutAbsent } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getLaunchReadiness}. */
export interface GetLaunchReadinessArgs {
  /** The app that would be advertised. */
  appId: string;
}

/** The result of {@link getLaunchReadiness}. */
export interface GetLaunchReadinessResult {
  /** The landing page that a launch must send. Absent when the service does not name one. */
  landingPage?: string;
  /** A currency, for information. Absent when the service does not name one. */
  currencyCode?: string;
  /** Whether the service reports that it cannot reach its payment provider. It refuses every launch until it can. */
  paymentProviderUnavailable: boolean;
  /** Sentences that say what the result leaves open. */
  notes: string[];
}

type Readiness = Answer<"campaign.readiness">;

/** @internal */
export const launchReadinessLookup: Lookup<GetLaunchReadinessArgs, GetLaunchReadinessResult> = {
  name: "getLaunchReadiness",
  operation: "campaign.readiness",
  purpose: "The landing page for a launch, and whether the payment provider can be reached",
  args: z.strictObject({ appId: identifier() }),
  async run({ appId }, { service }) {
    const answer = await readiness(service, appId);
    if (answer.landingPage !== undefined || answer.currencyCode !== undefined || answer.paymentProviderUnavailable)
      return resultOf(answer);
    throw new ProviderError({
      code: "WA1704",
      what: `The launch readiness of app ${appId} has neither landing_page nor currency_code, and does not report payment_provider_unavailable.`,
      ...service.endpoints.doubt("campaign.readiness"),
    });
  },
};

async function readiness(service: ServiceClient, appId: string): Promise<Readiness> {
  try {
    return await service.call("campaign.readiness", { parameters: { app_id: appId } });
  } catch (error) {
    // How the service reports it is not documented: in a response, or as an error.
    if (!(error instanceof ServiceError) || error.serviceCode !== "payment_provider_unavailable") throw error;
    return { landingPage: undefined, currencyCode: undefined, paymentProviderUnavailable: true };
  }
}

/** From wire to result. */
function resultOf(answer: Readiness): GetLaunchReadinessResult {
  const none = "The service names no landing page, so it is not known which one a launch must send.";
  return { ...withoutAbsent(answer), notes: notesOf(answer.landingPage === undefined && none) };
}

/**
 * Reads what the service requires of a launch: the landing page that the launch must send, the currency, and whether the
 * payment provider is reachable.
 *
 * The path of this operation (`campaign.readiness`) is assumed, and the specification shows only these fields.
 *
 * ```ts
 * const ready = await apps.getLaunchReadiness({ appId: "app-1" });
 * export const landingPage = ready.landingPage;
 * ```
 */
export function getLaunchReadiness(
  args: GetLaunchReadinessArgs,
  opts?: LookupOptions,
): Promise<GetLaunchReadinessResult> {
  return lookUp(launchReadinessLookup, args, opts);
}

/** {@link getLaunchReadiness} with inputs. Sends its requests once all inputs are known. */
export function getLaunchReadinessOutput(
  args: LookupInputs<GetLaunchReadinessArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetLaunchReadinessResult> {
  return lookUpOutput(launchReadinessLookup, args, opts);
}
