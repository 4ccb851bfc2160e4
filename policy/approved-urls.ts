import { parseUrl } from "../provider/service/urls";
import { isKind, type Kind, type Rule, unknown, valueOf } from "./rule";

interface Settings {
  approved: string[];
}

interface Subject {
  name: string;
  description: string;
  kind: Kind;
  property: string;
}

/** Campaigns may lead to approved hosts only, or below an approved path on one. */
export function approvedLandingPages(): Rule {
  return approvedUrls({
    name: "approved-landing-pages",
    description: "Campaigns lead to approved landing pages only.",
    kind: "AdCampaign",
    property: "landingPage",
  });
}

/** Webhooks may send to approved hosts only, or below an approved path on one. */
export function approvedWebhookTargets(): Rule {
  return approvedUrls({
    name: "approved-webhook-targets",
    description: "Webhooks send to approved targets only.",
    kind: "Webhook",
    property: "targetUrl",
  });
}

function approvedUrls({ name, description, kind, property }: Subject): Rule {
  return {
    needs: { [kind]: [property] },
    policy: {
      name,
      description,
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          approved: {
            type: "array",
            items: { type: "string", pattern: "^(\\*\\.)?[^*/:@?#\\s]+(/[^*?#\\s]*)?$" },
            description:
              'Hosts ("shop.example.com", "*.example.com" for those below it), or the beginning of a path on one ("hooks.example.com/team/").',
          },
        },
        required: ["approved"],
      },
      validateResource: (resource, report) => {
        if (!isKind(resource, kind)) return;
        const { approved } = resource.getConfig<Settings>();
        const url = valueOf(resource, property);
        // The URL itself stays out of the message: it may be a secret, or hold one.
        if (url !== unknown && !approved.some((entry) => isWithin(url, entry)))
          report(
            `${property} of ${kind} "${resource.name}" is on none of the approved hosts (${approved.join(", ") || "none"}). Use one of them, or have its host added to "approved" of ${name} in the policy's configuration.`,
          );
      },
    },
  };
}

/** Whether a URL is on an approved host, and below its path where one is given. */
function isWithin(text: unknown, entry: string): boolean {
  const url = typeof text === "string" ? parseUrl(text) : undefined;
  if (url === undefined) return false;
  const slash = entry.indexOf("/");
  const host = slash === -1 ? entry : entry.slice(0, slash);
  const path = slash === -1 ? "/" : entry.slice(slash);
  return isHost(url.hostname, host) && isBelow(url.pathname, path);
}

/** The parser has made the name lower case and its letters ASCII; the approved one is read the same way. */
function isHost(hostname: string, approved: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (approved.startsWith("*.")) return name.endsWith(`.${canonical(approved.slice(2))}`);
  return name === canonical(approved);
}

function canonical(host: string): string {
  return parseUrl(`https://${host}`)?.hostname ?? host;
}

/** By whole segments: `/team` holds `/team` and `/team/a`, not `/teams`. */
function isBelow(path: string, beginning: string): boolean {
  return path === beginning || path.startsWith(beginning.endsWith("/") ? beginning : `${beginning}/`);
}
