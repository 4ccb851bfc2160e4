import { parsePlainUrl, parseUrl } from "../provider/service/urls";
import { checked, isKind, type PolicyKind, type Rule, unknownValue, valueOf } from "./rule";

interface Settings {
  approved: string[];
}

interface UrlRule {
  name: string;
  description: string;
  kind: PolicyKind;
  property: string;
}

/** Campaigns may only lead to approved hosts, or to approved paths on them. */
export function approvedLandingPages(): Rule {
  return approvedUrls({
    name: "approved-landing-pages",
    description: "Campaigns lead only to approved landing pages.",
    kind: "AdCampaign",
    property: "landingPage",
  });
}

/** Webhooks may only send to approved hosts, or to approved paths on them. */
export function approvedWebhookTargets(): Rule {
  return approvedUrls({
    name: "approved-webhook-targets",
    description: "Webhooks send only to approved targets.",
    kind: "Webhook",
    property: "targetUrl",
  });
}

function approvedUrls({ name, description, kind, property }: UrlRule): Rule {
  return {
    needs: { [kind]: [property] },
    policy: checked({
      name,
      description,
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          approved: {
            type: "array",
            items: { type: "string", pattern: "^(\\*\\.)?[^*/:@?#\\s]+(/[^*?#\\s]*)?$" },
            description:
              'Hosts ("shop.example.com", or "*.example.com" for all subdomains), or a host with the beginning of a path ("hooks.example.com/team/").',
          },
        },
        required: ["approved"],
      },
      validateResource: (resource, report) => {
        if (!isKind(resource, kind)) return;
        const { approved } = resource.getConfig<Settings>();
        const url = valueOf(resource, property);
        // The message does not contain the URL, which may be a secret or contain one.
        if (url !== unknownValue && !approved.some((entry) => isWithin(url, entry)))
          report(
            `${property} of ${kind} "${resource.name}" is not on an approved host (${approved.join(", ") || "none"}). Use one of them, or add its host to "approved" of ${name} in the policy's configuration.`,
          );
      },
    }),
  };
}

/** Whether a URL is on an approved host, and below the approved path if there is one. */
function isWithin(text: unknown, entry: string): boolean {
  if (typeof text !== "string") return false;
  const url = parsePlainUrl(text);
  const [, authority = "", writtenPath = ""] = /^[^:]+:\/\/([^/?#]*)([^?#]*)/.exec(text) ?? [];
  // The part before an @ is a user name, but another parser may read it as the host.
  if (url === undefined || authority.includes("@")) return false;
  const slash = entry.indexOf("/");
  const host = slash === -1 ? entry : entry.slice(0, slash);
  if (!isHost(url.hostname, host)) return false;
  return slash === -1 || (!escapesPath.test(writtenPath) && isBelow(url.pathname, entry.slice(slash)));
}

/**
 * Text that may lead out of a path, depending on who decodes it and how often. It is an encoded slash or backslash, two
 * dots in any form, or overlong UTF-8, which can encode both.
 */
const escapesPath = /%(25)*(2f|5c|c[01])|(\.|%(25)*2e){2}/i;

/** The URL parser lower-cases host names and converts them to ASCII. The approved one is parsed the same way. */
function isHost(hostname: string, approved: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (approved.startsWith("*.")) return name.endsWith(`.${canonical(approved.slice(2))}`);
  return name === canonical(approved);
}

function canonical(host: string): string {
  return parseUrl(`https://${host}`)?.hostname ?? host;
}

/** By whole segments: `/team` contains `/team` and `/team/a`, but not `/teams`. */
function isBelow(path: string, beginning: string): boolean {
  return path === beginning || path.startsWith(beginning.endsWith("/") ? beginning : `${beginning}/`);
}
