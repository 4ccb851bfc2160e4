import { parsePlainUrl, parseUrl } from "../provider/service/urls";
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
  if (typeof text !== "string") return false;
  const url = parsePlainUrl(text);
  const [, authority = "", written = ""] = /^[^:]+:\/\/([^/?#]*)([^?#]*)/.exec(text) ?? [];
  // Before an @ stands a user, or what passes for the host in the eyes of another parser.
  if (url === undefined || authority.includes("@")) return false;
  const slash = entry.indexOf("/");
  const host = slash === -1 ? entry : entry.slice(0, slash);
  if (!isHost(url.hostname, host)) return false;
  return slash === -1 || (!climbs.test(written) && isBelow(url.pathname, entry.slice(slash)));
}

/**
 * What may lead out of a path, depending on who decodes it and how often: an encoded slash or backslash, two dots in any
 * form, and the bytes of over-long UTF-8, in which both can hide.
 */
const climbs = /%(25)*(2f|5c|c[01])|(\.|%(25)*2e){2}/i;

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
