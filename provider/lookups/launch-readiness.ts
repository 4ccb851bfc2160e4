import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { ProviderError } from "../service/errors";
import type { Answer } from "../service/operations";
import { withoutAbsent } from "./shared/result";

/** The arguments of {@link getLaunchReadiness}. */
export interface GetLaunchReadinessArgs {
  /** The app that would be advertised. */
  appId: string;
}

/** The result of {@link getLaunchReadiness}. */
export interface GetLaunchReadinessResult {
  /** The landing page that a launch must send. Absent when the service does not name one. */
  landingPage?: string;
  /** The currency of the advertising account, for information. Absent when the service does not name one. */
  currencyCode?: string;
  /** Whether the service cannot reach its payment provider. It refuses every launch until it can. */
  paymentProviderUnavailable: boolean;
  /** What the result does not prove, in sentences for people. */
  notes: string[];
}

/** @internal */
export const launchReadinessLookup: Lookup<GetLaunchReadinessArgs, GetLaunchReadinessResult> = {
  name: "getLaunchReadiness",
  operation: "campaign.readiness",
  purpose: "The landing page and the payment state before a launch",
  args: z.strictObject({ appId: identifier() }),
  async run({ appId }, { service }) {
    const answer = await service.call("campaign.readiness", { parameters: { app_id: appId } });
    if (answer.landingPage !== undefined || answer.currencyCode !== undefined || answer.paymentProviderUnavailable)
      return resultOf(answer);
    const { known, next } = service.endpoints.doubt("campaign.readiness");
    throw new ProviderError({
      what: `The launch readiness of app ${appId} has none of the fields that the specification shows, so it says nothing.`,
      known: ["They are landing_page, currency_code and payment_provider_unavailable.", ...known],
      next,
    });
  },
};

/** From wire to result. */
function resultOf({
  landingPage,
  currencyCode,
  paymentProviderUnavailable,
}: Answer<"campaign.readiness">): GetLaunchReadinessResult {
  return withoutAbsent<GetLaunchReadinessResult>({
    landingPage,
    currencyCode,
    paymentProviderUnavailable,
    notes: [
      "The service checks a budget, a logo and a landing page only at the launch, so this does not prove that a launch succeeds.",
    ],
  });
}

/**
 * Reads what the service says before a launch: the landing page that the launch must send, the currency, and whether the
 * payment provider can be reached.
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
