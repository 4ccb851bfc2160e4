import { isDeepStrictEqual } from "node:util";
import { parseUrl } from "../../../provider/service/urls";
import { sameUrl } from "../../../provider/resources/shared/compare";
import { Hidden, isShown, mayBeSet, mayDiffer, type Values } from "../hidden-values";
import { listed, type Phrase, phrase, type Shown, shown, words } from "../phrase";
import type { Finding, KindReview } from "../kind-review";
import { signingFor } from "../../../provider/resources/webhook/write";

export const webhookReview: KindReview = {
  object,
  created: ({ after }) => [sent(after, after["signed"] === true ? words("") : words(", not signed"))],
  updated: ({ before, after }) => changed(before, after),
  adopted({ after }, found) {
    if (!mayBeSet(after["overwrite"])) return [];
    // Adoption alone never rotates the secret.
    return found === undefined ? mayChange(after) : changed({ ...found, rotateSecret: after["rotateSecret"] }, after);
  },
  contradicting: (found, after) => (mayBeSet(after["overwrite"]) ? [] : differing(found, after)),
  deleted({ before }, policy): Finding {
    const secret = before["hasSecret"] === true ? words(", and its signing secret is lost") : words("");
    switch (policy) {
      case "retain":
        return { category: "left-behind", text: phrase`${object(before)} stays unchanged` };
      case "disable":
        return { category: "webhook-switch", text: phrase`${object(before)} is switched off and stays in the service` };
      default:
        return {
          category: "permanent-delete",
          text: phrase`${object(before)} is deleted: its events are no longer delivered${secret}`,
        };
    }
  },
  calls: {
    create: () => ["webhook.list", "webhook.update"],
    adopt: ({ overwrite }) => ["webhook.get", ...(mayBeSet(overwrite) ? (["webhook.update"] as const) : [])],
    update: (before) => [...(isToBeRead(before) ? (["webhook.get"] as const) : []), "webhook.update"],
    delete(policy) {
      if (policy === "retain") return [];
      return policy === "disable" ? ["webhook.update"] : ["webhook.delete"];
    },
  },
};

/** A webhook that was never read, or whose last response was lost, is read before it is changed. */
function isToBeRead(before: Values): boolean {
  return before["readBy"] === undefined || before["unconfirmed"] === true;
}

/** The arguments that the object is known not to have. */
function differing(found: Values, after: Values): string[] {
  const { targetUrl, events, description, enabled, hasSecret } = found;
  const { signed = hasSecret } = after;
  const differs = {
    targetUrl: isShown(targetUrl) && !isSameTarget(targetUrl, after["targetUrl"]),
    events: isShown(events) && !isDeepStrictEqual(new Set(eventsIn(found)), new Set(eventsIn(after))),
    description: isShown(description) && description !== after["description"],
    enabled: enabled !== after["enabled"],
    signed: signed !== hasSecret,
  };
  return Object.entries(differs)
    .filter(([name, isDifferent]) => isDifferent && isShown(after[name]))
    .map(([name]) => name);
}

function changed(before: Values, after: Values): Finding[] {
  return [...targeting(before, after), ...signing(before, after), ...switching(before, after)];
}

/** Where events go that did not go there before. */
function targeting(before: Values, after: Values): Finding[] {
  const [old, next] = [before["targetUrl"], after["targetUrl"]];
  const finding = (text: Phrase): Finding[] => [{ category: "webhook-target", text: phrase`${object(before)}${text}` }];
  if (old instanceof Hidden && next instanceof Hidden)
    return finding(words(": its target is hidden, so it cannot be seen whether it changes"));
  if (!isSameTarget(old, next)) {
    const instead =
      hostIn(old) === hostIn(next) ? words(", at another address there") : phrase` instead of ${hostIn(old)}`;
    return [sent({ ...before, ...after, webhookId: before["webhookId"] }, instead)];
  }
  if (!isShown(before["events"]) || !isShown(after["events"]))
    return finding(phrase` may send other events to ${hostIn(next)}: which ones is hidden`);
  const more = eventsIn(after).filter((event) => !eventsIn(before).includes(event));
  return more.length === 0 ? [] : finding(phrase` also sends ${listed(more)} to ${hostIn(next)}`);
}

function isSameTarget(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "string" && typeof other === "string" && sameUrl(one, other));
}

function sent(values: Values, more: Phrase): Finding {
  const { agentId, targetUrl } = values;
  const what = phrase`${listed(eventsIn(values))} of agent ${shown(agentId)}`;
  return { category: "webhook-target", text: phrase`sends ${what} to ${hostIn(targetUrl)}${more}` };
}

function eventsIn({ events }: Values): Shown[] {
  if (events === undefined) return [];
  return Array.isArray(events) ? events.map(shown) : [shown(events)];
}

/** The host alone: a path or a query may be a key. */
function hostIn(url: unknown): Shown {
  if (typeof url !== "string") return shown(url);
  return parseUrl(url)?.host ?? "(no URL)";
}

function signing(before: Values, after: Values): Finding[] {
  const { signed, rotateSecret } = after;
  const values = [signed, rotateSecret, before["rotateSecret"], before["hasSecret"], before["secretRotation"]];
  const isDeclared = signed !== undefined || rotateSecret !== undefined || before["secretRotation"] !== undefined;
  if (isDeclared && values.some((value) => value instanceof Hidden))
    return [
      {
        category: "secret-rotation",
        text: phrase`${object(before)} may get a new signing secret: whether it does is hidden`,
      },
    ];
  const update = signingFor(before, after);
  if (update === undefined) return [];
  const text =
    update === "disable"
      ? phrase`${object(before)} is no longer signed, and its signing secret is lost`
      : phrase`${object(before)} gets a new signing secret; receivers that know the old one refuse its events`;
  return [{ category: "secret-rotation", text }];
}

function switching({ enabled: old, ...before }: Values, { enabled }: Values): Finding[] {
  if (!mayDiffer(old, enabled)) return [];
  const is = old instanceof Hidden ? "may be" : "is";
  const how =
    enabled instanceof Hidden ? "may be switched on or off" : `${is} switched ${enabled === false ? "off" : "on"}`;
  return [{ category: "webhook-switch", text: phrase`${object(before)} ${words(how)}` }];
}

/** The changes that adoption may make, where the plan shows only the declared values. */
function mayChange(after: Values): Finding[] {
  const { signed, enabled } = after;
  const secret =
    signed instanceof Hidden
      ? "may get a signing secret, or lose it"
      : signed === false
        ? "loses its signing secret, if it has one"
        : signed === true
          ? "gets a signing secret, if it has none"
          : undefined;
  const delivery =
    enabled instanceof Hidden
      ? "may be switched on or off"
      : enabled === false
        ? "is switched off, if it is on"
        : "is switched on, if it is off";
  return [
    sent(after, words(", once it is adopted")),
    ...(secret === undefined
      ? []
      : [{ category: "secret-rotation", text: phrase`${object(after)} ${words(secret)}` } as const]),
    { category: "webhook-switch", text: phrase`${object(after)} ${words(delivery)}` },
  ];
}

function object({ webhookId, agentId }: Values): Phrase {
  return phrase`webhook ${shown(webhookId)} of agent ${shown(agentId)}`;
}
