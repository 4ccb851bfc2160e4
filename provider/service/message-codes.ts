/**
 * The catalogue of the messages that a user may have to act on: every error, and every warning. Each has a code at the end
 * of its first line, so that an alert needs no substring. Progress lines have none.
 *
 * - One code stands for one situation, in which a person does the same thing. Several messages may share it.
 * - Codes are stable: the texts of messages may change, their codes do not. A code is never reused, so leave gaps.
 * - The policy pack and `doctor` need none: the names of the policies, and the causes of `doctor --json`, are as stable.
 *
 * `npm run tables` writes docs/operations/troubleshooting.md from it. At run time only the type is used.
 */
export interface CatalogueEntry {
  /** The event, in a few words. */
  readonly title: string;
  /** The state of things now. */
  readonly meaning: string;
  readonly money: Money;
  /** One action each, with complete commands. */
  readonly next: readonly string[];
}

/**
 * Whether a campaign may be spending because of what happened.
 * - `no`: nothing of it spends, or it is not about campaigns.
 * - `as before`: campaigns that ran go on.
 */
export type Money = "no" | "as before" | "perhaps" | "yes";

const runAgain = "Run the same command again.";
const fixAndRun = "Fix the reported problem, and run the command again.";
const checkToken =
  "Check the token first: one that does not reach the object may get a 404 although the object exists.";
const stateDelete =
  "If you are sure that it is gone: `pulumi state delete --force '<URN>'`. `pulumi stack --show-urns` shows the URN.";
const waysToForget =
  "If you are sure that nothing of yours is live: `pulumi state delete --force '<URN>'`. Run it for the `AdCampaign` if the state has it, then for its `LaunchIntent`. `pulumi stack --show-urns` shows both.";
const stopItNow =
  "To stop a campaign now: delete it in the service, then remove it from the program. Or pause it there, then declare `paused: true`.";
const upFirst =
  "If you change the token in the stack's configuration, run `pulumi up` before `refresh` or `destroy`: these use the token of the last `up`.";
const setPath =
  "If your service has the operation at another path, [set it in `endpoints`](../reference/operations.md). `workspace-apps doctor` tries the paths that only read.";

export const messageCodes = {
  WA1001: {
    title: "A setting is missing or malformed",
    meaning:
      "No request was sent. The message names the setting: its key, and its variable or the argument of a `Provider`. The stack's configuration wins over the environment. A `Provider` reads neither of them.",
    money: "no",
    next: [
      "Set it as the message says. Secrets need `--secret`: `pulumi config set --secret workspace-apps:accessToken`.",
      "Only `refresh` or `destroy` fails: they use the configuration of the last `up`. Run `pulumi up`, or add `--run-program`.",
      "All settings: [configuration](../reference/configuration.md).",
    ],
  },
  WA1002: {
    title: "Unknown setting",
    meaning:
      "There is no such setting, so it would have no effect. An unknown variable that no setting resembles only causes a warning.",
    money: "no",
    next: ["Correct the name. Or remove it: `pulumi config rm workspace-apps:NAME`, or unset the variable."],
  },
  WA1003: {
    title: "A token is plain text in the stack's configuration",
    meaning: "The command went on. The stack's file and its state contain the token in plain text.",
    money: "no",
    next: [
      "Run `pulumi config set --secret workspace-apps:accessToken`, then `pulumi up`. Or keep the token in the environment.",
      "Replace the token in the service: older versions of the state contain it.",
    ],
  },
  WA1004: {
    title: "The step needs an operation that is turned off",
    meaning:
      'No request was sent. The path of the operation is assumed and `documentedOnly` is true, or `endpoints` sets it to `"none"`.',
    money: "as before",
    next: [
      "Set its path in `endpoints`. The message shows the form.",
      "Or do without it, as the message says: adopt an object instead of creating it.",
      "For destroy: set another `deletionPolicy`, and run `pulumi up` first.",
    ],
  },
  WA1101: {
    title: "An argument has a wrong value",
    meaning: "No request was sent. The message names each argument of the resource or look-up, and what it must be.",
    money: "no",
    next: ["Correct the program."],
  },
  WA1102: {
    title: "Unknown argument",
    meaning: "No request was sent. The argument is misspelled, or belongs to another version of the package.",
    money: "no",
    next: ["Correct the name, or remove the argument."],
  },
  WA1103: {
    title: "A name or value cannot be serialized",
    meaning:
      "No request was sent. Pulumi's SDK fails on a field named `toString`, drops one named `__proto__`, and passes only plain values on.",
    money: "no",
    next: [
      "Use another name in the entity's schema, or leave the field out.",
      "Give a string, number, flag, list or plain object.",
    ],
  },
  WA1104: {
    title: "The program declares the same object twice",
    meaning: "No request was sent. Two resources of this program name the same object.",
    money: "no",
    next: ["Declare it once. If one resource is the new name of the other, give the old name in the option `aliases`."],
  },
  WA1105: {
    title: "The daily budget looks like an amount that was not converted",
    meaning:
      "`dailyBudgetMicros` counts millionths. A launch below 10,000 is refused. For a campaign that exists, this is only a warning.",
    money: "as before",
    next: ["Convert the amount: `apps.micros(25)` is 25 a day."],
  },
  WA1201: {
    title: "A launch is not confirmed",
    meaning:
      "A launch was sent, and its outcome is uncertain. The campaign list does not show the campaign, or cannot be read. Nothing is launched again during the quarantine.",
    money: "perhaps",
    next: [
      "Run the same command again, after the time in the message. `pulumi up` takes the campaign over if the list shows it.",
      "After the quarantine, `pulumi up` launches it if no list shows it, and `pulumi destroy` forgets it.",
      stopItNow,
      "If you know that nothing was launched, and cannot wait: `WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS=0 pulumi up`. A value in the stack's configuration or on a `Provider` wins.",
    ],
  },
  WA1202: {
    title: "An earlier command may have launched a campaign",
    meaning:
      "An earlier command may have launched it, and its end is not known. The list cannot be read, or another token reads it. This command launched nothing.",
    money: "perhaps",
    next: [
      `Fix the reported problem of the list or the token. ${upFirst}`,
      "Run the same command again, or `pulumi up` with the campaign in the program.",
      "After several tokens: a `pulumi refresh` whose list shows a campaign of this intent makes the list count again.",
      waysToForget,
    ],
  },
  WA1203: {
    title: "A campaign of this resource runs outside the state",
    meaning:
      'An earlier command launched it, and the state does not have it. The `deletionPolicy` "retain" neither deletes nor pauses it, so nothing else was launched.',
    money: "yes",
    next: [
      "To keep it: declare its `campaignId`, with its own values.",
      'To delete it and launch the declared campaign: set `deletionPolicy` to "delete", and run `pulumi up`.',
    ],
  },
  WA1204: {
    title: "A second campaign of this resource is live",
    meaning:
      "A launch of an earlier command was carried out late, or twice. The state has one of the campaigns. The message names the others.",
    money: "yes",
    next: [
      "Run `pulumi up`. It deletes or pauses the others by the `deletionPolicy`, and keeps the campaign of the state.",
      'With "retain", it touches none of them. Delete them in the service. Or set `deletionPolicy` to "delete", run `pulumi refresh`, then `pulumi up`.',
    ],
  },
  WA1205: {
    title: "Another campaign of the same name is live",
    meaning:
      "This campaign was launched. Another stack may have launched its own at the same moment. Neither stack touches the other's campaign.",
    money: "yes",
    next: ["Decide which stack owns the campaign, and remove it from the other one."],
  },
  WA1206: {
    title: "The list may not show an earlier launch",
    meaning:
      "The token or the path of `campaign.list` has changed since an earlier command may have launched this campaign. This command launches it, so there may be two.",
    money: "perhaps",
    next: [
      "With the earlier token or path, look for a second campaign whose name ends in the key and 5 more digits. Delete it.",
    ],
  },
  WA1207: {
    title: "A campaign was not deleted or not paused",
    meaning:
      "The service refused the deletion or the pause, did not confirm it, or could not be asked. The campaign may be running. It stays in the state, if it was there.",
    money: "perhaps",
    next: [
      "After a 403 or 404: use a token that reaches the app. The service refuses a workspace API key.",
      `Check the campaign in the service. ${runAgain}`,
      'To leave it unchanged: set `deletionPolicy` to "retain", and run `pulumi up` before the destroy.',
    ],
  },
  WA1208: {
    title: "It is unknown whether a campaign was deleted",
    meaning: "The deletion was sent, and the campaign list does not prove it. Nothing was launched in its place.",
    money: "perhaps",
    next: [`Check the campaign in the service. ${runAgain}`, waysToForget],
  },
  WA1209: {
    title: "A pause is not confirmed",
    meaning:
      "The program declares the campaign as paused, and the service did not confirm the pause. The campaign may run, or start by itself when conversion tracking verifies.",
    money: "perhaps",
    next: [
      "Run `pulumi up` again. It sends the pause until the service confirms it.",
      "If the campaign may run: leave `paused` out.",
      'If it must not be touched: set `deletionPolicy` to "retain", and leave `paused` out.',
    ],
  },
  WA1210: {
    title: "It is unknown whether a late duplicate is live",
    meaning:
      "A launch that an earlier command sent may have been carried out late. A campaign list that would show it cannot be read, or the duplicate was not deleted or paused.",
    money: "perhaps",
    next: [`Fix the reported problem. ${runAgain}`, waysToForget],
  },
  WA1211: {
    title: "A campaign is retained",
    meaning:
      'Its `deletionPolicy` is "retain", so it is only removed from the stack. The message says whether it goes on spending, may start by itself, or stays paused.',
    money: "yes",
    next: ["To end it: delete it in the service."],
  },
  WA1212: {
    title: "A campaign was not replaced",
    meaning:
      "The package checked the new campaign before it deleted the old one, and a check failed. Nothing was deleted, and the old campaign goes on.",
    money: "as before",
    next: ["Fix the problem that the rest of the message reports, or undo the change. Then run `pulumi up` again."],
  },
  WA1213: {
    title: "An unconfirmed launch was not replaced",
    meaning:
      "The package checked the new campaign first, and a check failed. The earlier launch is not confirmed, so its campaign may be live.",
    money: "perhaps",
    next: ["Fix the problem that the rest of the message reports, or undo the change. Then run `pulumi up` again."],
  },
  WA1214: {
    title: "A campaign is missing from the list",
    meaning:
      "The state has the campaign, and this list has never shown it with the current token and path. So its absence does not prove that it was deleted.",
    money: "as before",
    next: [
      `Use the earlier token, \`campaign.list\` or \`baseUrl\`. ${upFirst}`,
      "If the campaign is gone: `pulumi state delete --force '<URN>'`, for the campaign, then for its `LaunchIntent`. `pulumi stack --show-urns` shows both.",
    ],
  },
  WA1220: {
    title: "No campaign was launched",
    meaning:
      "The service refused the launch, or something stood against it. The app's advertising account may exist by now, and then keeps its time zone.",
    money: "as before",
    next: ["Fix the reported problem, and run `pulumi up` again."],
  },
  WA1221: {
    title: "A campaign of the same name is live",
    meaning:
      "Nothing was launched. The campaign has no key or another one. Another stack launched it, or this one before it was renamed, paused, retained or lost, or it was made without this package. Or the program reads it with `get`. The package never touches it.",
    money: "as before",
    next: [
      "To manage it here, unless another stack does: declare its `campaignId`, with its own values.",
      "If this resource was renamed: give the old name in the option `aliases`.",
      "To launch another one beside it: choose another `campaignName`.",
    ],
  },
  WA1222: {
    title: "The campaign to replace is still live",
    meaning: "Nothing was launched. Pulumi did not delete the old campaign first.",
    money: "as before",
    next: [
      "Remove the options `retainOnDelete` and `deleteBeforeReplace` from the program, or undo the change.",
      "To keep the old campaign: declare its `campaignId`, with its own values.",
    ],
  },
  WA1223: {
    title: "The campaign list cannot be read",
    meaning:
      "Without a complete list, the package launches and adopts nothing. If the message says that a campaign was launched, nothing tells whether another one of its name is live.",
    money: "perhaps",
    next: ["Fix the reported problem of the token or the service.", setPath, runAgain],
  },
  WA1224: {
    title: "A daily budget is above a limit",
    meaning:
      "`maxDailyBudgetMicros` limits one campaign, and `maxAppDailyBudgetMicros` all campaigns of an app. Only a pause that this stack sent, and the service confirmed, excludes a campaign from the sum.",
    money: "as before",
    next: [
      "Lower the budget, delete one of the others, or pause one that this stack manages.",
      "Or raise the limit that the message names, where it is set: `Pulumi.yaml`, the stack, the environment or the `Provider`.",
    ],
  },
  WA1225: {
    title: "The daily budgets of an app are unknown",
    meaning:
      "`maxAppDailyBudgetMicros` is set, and cannot be checked: the list cannot be read, or shows a campaign without its budget.",
    money: "as before",
    next: [
      "Fix the reported problem of the list, or delete what need not run.",
      "Or remove the limit where it is set: `Pulumi.yaml`, the stack, the environment or the `Provider`.",
    ],
  },
  WA1226: {
    title: "The service expects another landing page",
    meaning: "Nothing was launched. Launch readiness shows another page than the program declares.",
    money: "as before",
    next: ["Declare the landing page of the message as `landingPage`."],
  },
  WA1227: {
    title: "The service cannot reach its payment provider",
    meaning: "Nothing was launched. The service refuses every launch until it can confirm a card again.",
    money: "as before",
    next: ["Run `pulumi up` again later."],
  },
  WA1228: {
    title: "A campaign cannot be launched without checkpoints",
    meaning:
      "Nothing was launched. `PULUMI_SKIP_CHECKPOINTS` is set, so Pulumi would not save the `LaunchIntent` before the launch.",
    money: "as before",
    next: ["Unset `PULUMI_SKIP_CHECKPOINTS`."],
  },
  WA1229: {
    title: "A campaign has no launch intent of its own",
    meaning:
      "Nothing was launched. Every campaign that launches needs one `LaunchIntent` with the same `appId`, `deletionPolicy` and provider.",
    money: "as before",
    next: [
      "In [YAML, Python and other languages](../guides/languages.md): declare one before the campaign, and give its id as `launchIntent`.",
      "With `--target`: give the URNs of both.",
      "After an import: remove the option `import`.",
      "Let transforms treat both alike.",
    ],
  },
  WA1230: {
    title: "An unconfirmed campaign cannot be changed yet",
    meaning: "Its launch is not confirmed, so it is not replaced before the quarantine ends. Nothing was changed.",
    money: "perhaps",
    next: [
      "Run `pulumi refresh`. If the list shows the campaign, it can be replaced then.",
      "Or undo the change, or wait until the time in the message.",
    ],
  },
  WA1231: {
    title: "A campaign must not be replaced",
    meaning:
      "A change of the program would replace it. By its `deletionPolicy`, the old campaign would stay beside the new one. Or its own `campaignId` declares it. Nothing was changed.",
    money: "as before",
    next: [
      "Undo the change. If the campaign was changed in the service, declare the values that it has now.",
      'To replace it: set `deletionPolicy` to "delete", and run `pulumi up`. Then make the change, and leave `campaignId` out.',
    ],
  },
  WA1232: {
    title: "A retained or paused campaign is to be replaced",
    meaning: "A warning of a preview. Nothing is launched beside a live campaign: the `up` will fail, or take it over.",
    money: "as before",
    next: ["Remove `replaceOnChanges` or `--replace`, or undo the change."],
  },
  WA1233: {
    title: "A campaign was not resumed",
    meaning:
      "The program declares it as running. The service did not confirm that it runs again, or the limit of its app forbids that.",
    money: "perhaps",
    next: [`${fixAndRun} It continues from there.`],
  },
  WA1234: {
    title: "The campaign was removed in the service",
    meaning: "It was to be paused or resumed. It does not spend.",
    money: "no",
    next: [
      "To launch another: run `pulumi refresh`, then `pulumi up`. If `campaignId` is declared, leave it out.",
      "To launch none: remove it from the program, and run `pulumi up`.",
    ],
  },
  WA1235: {
    title: "A campaign is adopted while another resource ends it",
    meaning:
      "Nothing was adopted. Another resource of the stack has the campaign, and is replaced or removed in this command.",
    money: "as before",
    next: [
      "Declare the adopting resource before the other, or undo the change of the other.",
      "If the campaign was paused: run `pulumi up` again. If it was deleted: remove its `campaignId`.",
    ],
  },
  WA1236: {
    title: "The campaign belongs to another launch intent",
    meaning:
      "Nothing was adopted. The name of the campaign has the key of another `LaunchIntent` of the program, which would delete or pause it one day.",
    money: "as before",
    next: [
      "To keep this campaign: give its `campaignId` to the resource of that intent.",
      "To keep the other one: remove the resource that adopts. Without its `campaignId`, `pulumi up` may launch another campaign for it.",
    ],
  },
  WA1237: {
    title: "The service changed the name of a campaign",
    meaning:
      "The campaign is in the state and works. If a later launch is interrupted, no command will recognize its campaign.",
    money: "yes",
    next: ["Choose a `campaignName` that the service keeps."],
  },
  WA1238: {
    title: "The advertising account has another time zone",
    meaning: "The campaign was launched. An account keeps the time zone with which it was created.",
    money: "yes",
    next: ["Declare the time zone of the account, or leave `timezone` out."],
  },
  WA1301: {
    title: "There is nothing to adopt or import",
    meaning: "The object was not found, or is removed. Nothing was changed.",
    money: "as before",
    next: [
      "Check the ids. A campaign has two: give the service's own, not the ad platform's.",
      checkToken,
      setPath,
      "To create one instead: leave the id, or `adopt`, out.",
    ],
  },
  WA1302: {
    title: "The object differs from the declaration",
    meaning:
      "It was not adopted, and nothing was changed. The message lists what differs; values that may be secret are hidden.",
    money: "as before",
    next: [
      "Declare the values that it has in the service. An omitted argument may stand for a value, such as a webhook's `description`.",
      "Webhooks, records and tests: set `overwrite: true`, and `pulumi up` changes it to what is declared.",
    ],
  },
  WA1303: {
    title: "It is uncertain whether an object was created",
    meaning:
      "The create was sent, and neither its response nor the list says what became of it. A copy may exist. The resource of a record or test is saved as unfinished.",
    money: "no",
    next: [
      "Run `pulumi up` again. For a record or test it looks first, and creates another one only if a complete list shows none.",
      "A webhook: `up` takes it over if the list shows its mark, from a minute after its creation on. Otherwise it creates another one.",
      "If `up` cannot tell: look in the service. If it is there, give its id as `webhookId`, `recordId` or `flowId`.",
      "A record or test that is not there: `pulumi state delete --force '<URN>'`, then `pulumi up`. `pulumi stack --show-urns` shows the URN.",
    ],
  },
  WA1304: {
    title: "Another command may be creating the webhook",
    meaning: "Nothing was sent. A webhook with the mark of this resource is less than a minute old.",
    money: "no",
    next: ["Run `pulumi up` again in a minute. If no other command has finished it, it is taken over."],
  },
  WA1305: {
    title: "A copy of an object may exist",
    meaning: "Two creates were sent, or an earlier create has no known end. The package deletes nothing by a guess.",
    money: "no",
    next: [
      "Look in the service. Or list what the stack does not have: `pulumi stack export > state.json`, then `npx --no -- workspace-apps adopt --agent AGENT --app APP --entity APP/ENTITY --exclude state.json`.",
      "Delete the copy, if you know that it is yours.",
    ],
  },
  WA1306: {
    title: "An object counts as adopted",
    meaning:
      "It was found by its values, or the service answered a create with an object that it had before. It may be somebody else's, so destroy retains it unless `deletionPolicy` says otherwise.",
    money: "no",
    next: ['If it is yours, and destroy should delete it: set `deletionPolicy: "delete"`.'],
  },
  WA1307: {
    title: "An adopted object was not changed",
    meaning:
      "The object of an uncertain create was found by its values. The program declares other values by now, and the object may be somebody else's.",
    money: "no",
    next: [
      "If it is yours: run `pulumi up` again. It changes the object.",
      "If it is somebody else's: `pulumi state delete --force '<URN>'`. `pulumi stack --show-urns` shows the URN.",
    ],
  },
  WA1308: {
    title: 'Pulumi keeps the id "unfinished"',
    meaning:
      "A later `up` found or created the object, and an update cannot change Pulumi's own id. The object itself is complete.",
    money: "no",
    next: ["Run `pulumi refresh`, then `pulumi up` for what depends on `id`. Until then, use `recordId` or `flowId`."],
  },
  WA1309: {
    title: "Nothing tells whether an earlier command left a webhook",
    meaning:
      "A warning: the agent's webhooks cannot be listed with their descriptions. If a command was killed while it created a webhook, there may be two now.",
    money: "no",
    next: [
      "Set the path of `webhook.list` in `endpoints`.",
      "Or compare the agent's webhooks with the stack yourself.",
    ],
  },
  WA1310: {
    title: "The object exists, and a later step failed",
    meaning: "The object is in the state. The rest of the message says which step failed.",
    money: "no",
    next: [`${fixAndRun} It continues from there.`],
  },
  WA1311: {
    title: "Two resources manage the same object",
    meaning: "Nothing was changed. Another resource of this stack, or of this command, manages the object already.",
    money: "as before",
    next: [
      "Declare it once. If one resource is the new name of the other, give the old name in the option `aliases`, and leave out the id.",
      "If both are in the state: remove one from the program and run `pulumi up` without `--target` and `--exclude`. The object stays.",
      "Or `pulumi state delete --force '<URN>'` for one of them. `pulumi stack --show-urns` shows the URN.",
      "Do not use `pulumi destroy --target`: that may delete the object.",
    ],
  },
  WA1312: {
    title: "An object was not deleted, because another resource declares it",
    meaning:
      "Another resource of the program was about to adopt the object by its id, and has not. The object stays in the stack.",
    money: "as before",
    next: ["Fix the error of the other resource, or of what it depends on. Then run `pulumi up` again."],
  },
  WA1320: {
    title: "It is uncertain whether an object was changed",
    meaning:
      "The change was sent, and its response was lost. For a webhook's secret: the webhook may sign with a secret that nobody has seen.",
    money: "no",
    next: [
      "Run `pulumi up` again. It reads before it writes, or sends the same again.",
      "After a rotation, it rotates once more and keeps that secret.",
    ],
  },
  WA1321: {
    title: "The service stores another value",
    meaning: "The change was made, and the service kept another value than the declared one.",
    money: "no",
    next: ["Declare the value that the service stores."],
  },
  WA1401: {
    title: "The object belongs to another base URL",
    meaning:
      "No request was sent. The resource was created or last read at another base URL. An object with the same id here would be another one.",
    money: "as before",
    next: [
      "Correct `workspace-apps:baseUrl`, the variable or the `Provider`.",
      "To have one at the new base URL: declare another resource there. Remove the old one while it has its earlier provider.",
      "If the whole service has moved: `pulumi state delete --force '<URN>'`, then adopt the object by its id. A webhook's secret is then unknown: change `rotateSecret`.",
    ],
  },
  WA1402: {
    title: "The token has changed, and does not show the object",
    meaning:
      "The service answered as if there were no such object. Another token read it last, so this proves nothing. The resource stays in the stack.",
    money: "as before",
    next: [
      `Use the earlier token, or one that reaches the object. ${upFirst}`,
      "A successful `pulumi refresh` with the new token makes its answers count from then on.",
      stateDelete,
    ],
  },
  WA1405: {
    title: "The service answered a removal with 404, and the object exists",
    meaning: "The object was looked for afterwards, and it still exists. It stays in the stack.",
    money: "no",
    next: ["Use a token that reaches the object.", setPath, runAgain],
  },
  WA1406: {
    title: "The token does not reach the app",
    meaning: "The folder exists, and the service refuses this app in it. Nothing was changed.",
    money: "no",
    next: ["Use a token that is not limited to other apps."],
  },
  WA1407: {
    title: "It is uncertain whether an object still exists",
    meaning:
      "No response proves that it is gone. For example, a list does not show it, and may never have shown it. It stays in the stack.",
    money: "no",
    next: ["Fix the reported problem of the token or the path.", runAgain, stateDelete],
  },
  WA1408: {
    title: "A refresh cannot notice a removal",
    meaning: "The object was created, and its list does not show it. It can be managed, but not refreshed.",
    money: "no",
    next: [setPath],
  },
  WA1501: {
    title: "The service refused the credential (401)",
    meaning: "The token or API key is missing, invalid or expired. The message names the setting that was sent.",
    money: "as before",
    next: [
      "Set a valid token: `pulumi config set --secret workspace-apps:accessToken`, or `WORKSPACE_APPS_ACCESS_TOKEN`.",
      "If the API key was sent: remove `workspace-apps:apiKey` or `WORKSPACE_APPS_API_KEY`, and the token is sent instead.",
      upFirst,
      "You changed the variable, and nothing happens: the stack's configuration has a token too, and wins. `pulumi config rm workspace-apps:accessToken`, then `pulumi up`.",
    ],
  },
  WA1502: {
    title: "The workspace's plan does not include this (402)",
    meaning: "The service refused the request. For example, agent webhooks need a higher plan tier.",
    money: "as before",
    next: ["Move to a higher plan tier, or remove the resource from the program."],
  },
  WA1503: {
    title: "The credential is not allowed to do this (403)",
    meaning:
      "The token or API key is valid, and its owner may not do this. For a record, a rule of the entity is the likelier cause.",
    money: "as before",
    next: [
      "Records: compare the entity's row and field rules with the record, and with the fields that are sent.",
      "Otherwise use a personal token with full access whose owner is an editor. The service refuses workspace keys and viewers.",
      "If the API key was sent: remove `workspace-apps:apiKey` or `WORKSPACE_APPS_API_KEY`, and the token is sent instead.",
    ],
  },
  WA1504: {
    title: "The token is read-only",
    meaning: "The service refused the request. A read-only token may only call some operations that read.",
    money: "as before",
    next: ["Use a personal token with full access."],
  },
  WA1505: {
    title: "The service does not show the object (404)",
    meaning:
      "It does not exist, or this token does not reach it. The service answers both with 404. Nothing was changed.",
    money: "as before",
    next: [
      checkToken,
      "Check the ids, and `workspace-apps:baseUrl`. For a folder: it may be another user's personal folder.",
      "If it was deleted outside Pulumi: `pulumi refresh --preview-only` shows what a refresh would remove. Then run `pulumi refresh`.",
    ],
  },
  WA1506: {
    title: "The path of an operation may be wrong (404, 405)",
    meaning:
      "The path is assumed, or set in `endpoints`, or the service does not have it. The object does not exist, or the service has the operation at another path. A 404 counts as a deletion only after this path has shown the object with this token.",
    money: "as before",
    next: [
      setPath,
      'If your service cannot read a single webhook: set `{"webhook.get": "none"}`. Webhooks are then read by an empty update.',
      checkToken,
    ],
  },
  WA1507: {
    title: "The service refused the request",
    meaning: "Nothing was changed. The line `The service said` has its reason.",
    money: "as before",
    next: ["Fix what the service says. For a webhook: `agentId` must be an app that is an agent."],
  },
  WA1508: {
    title: "The service reported a conflict (409)",
    meaning:
      "It may be a refusal, or the request may have been carried out: the service also answers 409 after it did the work.",
    money: "as before",
    next: ["If the service gives a reason, fix it. Then run the command again."],
  },
  WA1509: {
    title: "The rate limit was reached (429)",
    meaning:
      "Nothing was changed. The service answered 429 five times in a row, or asked for a wait of more than five minutes.",
    money: "as before",
    next: [
      "Run the command again later.",
      "If this workspace has other limits, or others share them: set `workspace-apps:rateLimits`.",
    ],
  },
  WA1510: {
    title: "The service failed (5xx)",
    meaning: "The request may have been carried out. It was sent up to five times if a repeat does no harm.",
    money: "as before",
    next: ["Run the command again later."],
  },
  WA1511: {
    title: "No response came",
    meaning:
      "The request was sent, and the connection ended or timed out. It may have been carried out. It was repeated if that does no harm.",
    money: "as before",
    next: [
      "Run the command again.",
      "After `no response within`: raise `workspace-apps:requestTimeoutSeconds`, or check whether the service is available.",
    ],
  },
  WA1512: {
    title: "The service could not be reached",
    meaning: "No byte of the request left this machine, after up to five attempts.",
    money: "as before",
    next: [
      "Check `workspace-apps:baseUrl` and the network.",
      "Behind a proxy: check `HTTPS_PROXY`, or exclude the service's host with `NO_PROXY`. [Networks](../guides/networks.md).",
    ],
  },
  WA1513: {
    title: "The response is not the service's",
    meaning:
      "It could not be read. Often it is a page of a proxy, or of a sign-in. If the request was a write, it may have been carried out.",
    money: "as before",
    next: [
      "Check that `workspace-apps:baseUrl` points to the service itself.",
      "If it does: look for a newer version of this package.",
    ],
  },
  WA1514: {
    title: "The response is too large",
    meaning: "It is larger than this package reads. If the request was a write, it may have been carried out.",
    money: "as before",
    next: ["Make the object smaller or the list shorter. If another server answered, check `workspace-apps:baseUrl`."],
  },
  WA1515: {
    title: "The service redirected the request (3xx)",
    meaning: "Redirects are not followed: a write must not be sent twice.",
    money: "as before",
    next: ["Set `workspace-apps:baseUrl` to the address that the service redirects to."],
  },
  WA1516: {
    title: "A list cannot be read to its end",
    meaning:
      "An incomplete list proves nothing. The message names the reason, such as a missing cursor or a total above its rows.",
    money: "as before",
    next: [
      "If the service reports an error, or shows an object twice: run the command again later.",
      "Otherwise set the path of the list in `endpoints`.",
    ],
  },
  WA1601: {
    title: "The resource was last declared in the packaged form",
    meaning: "Nothing was changed. A stack cannot move back to the dynamic form.",
    money: "as before",
    next: ["Import `pulumi-workspace-apps/packaged` again."],
  },
  WA1602: {
    title: "The provider belongs to the other form",
    meaning: "Nothing was changed. A resource or look-up and its `Provider` must come from the same form.",
    money: "no",
    next: ["Import both from `pulumi-workspace-apps`, or both from `pulumi-workspace-apps/packaged`."],
  },
  WA1603: {
    title: "The packaged form needs its plugin",
    meaning: "Nothing was changed. `Pulumi.yaml` does not name the plugin, and none is installed.",
    money: "no",
    next: ["Add the lines of the message to `Pulumi.yaml`. Its path is relative to that file."],
  },
  WA1604: {
    title: "The plugin is older than the program or the state",
    meaning: "Nothing was changed. This version of the plugin does not know the resource or look-up.",
    money: "as before",
    next: ["Install the version of `pulumi-workspace-apps` with which the stack was last updated, or a newer one."],
  },
  WA1605: {
    title: "The command was interrupted",
    meaning: "Waits ended at once, and no further change was sent. The response to a write was awaited for 5 seconds.",
    money: "as before",
    next: [runAgain],
  },
  WA1606: {
    title: "The step did not finish within customTimeouts",
    meaning: "The time of the option `customTimeouts` was over. Waits for rate limits count too.",
    money: "as before",
    next: ["Give the step more time, or remove the option. Then run the command again."],
  },
  WA1607: {
    title: "An option has no effect",
    meaning: "Pulumi does not report which property changed, or this package compares whole arguments.",
    money: "no",
    next: [
      "Replace the resource once: `pulumi up --replace '<URN>'`.",
      "In the packaged form, give the name of the argument in `replaceOnChanges`.",
    ],
  },
  WA1608: {
    title: "A replacement would be created beside the old object",
    meaning: "A warning: the option `deleteBeforeReplace` is false, and both objects may exist at once.",
    money: "as before",
    next: ["Remove the option."],
  },
  WA1609: {
    title: "The program calls get with a state",
    meaning: "Nothing was changed. `get` takes a name, an id and options.",
    money: "no",
    next: ["Remove the state, and give the options as the third argument."],
  },
  WA1610: {
    title: "The id of an import is wrong",
    meaning: "No request was sent. The id does not have the expected parts.",
    money: "no",
    next: ["Give the parts that the message names. All ids: [import and adopt](../guides/import-and-adopt.md)."],
  },
  WA1611: {
    title: "The resource cannot be imported or read by its id",
    meaning: "Nothing was changed. The dynamic form has no `import`, `get` and `pulumi import`, nor do some kinds.",
    money: "no",
    next: [
      "Adopt the object: give `webhookId`, `campaignId`, `recordId`, `flowId` or `adopt: true`.",
      "Or use the [packaged form](../guides/import-and-adopt.md).",
    ],
  },
  WA1612: {
    title: "The program differs from the object to import",
    meaning: "Nothing was imported or changed. An import never changes the object.",
    money: "as before",
    next: [
      "Declare the values that it has: `pulumi preview --diff` shows them.",
      "Change them after the import, when the option `import` is removed.",
    ],
  },
  WA1613: {
    title: "A program cannot declare the object",
    meaning: "Nothing was imported. The object has a value that this package refuses, or lacks a required one.",
    money: "as before",
    next: ["Change it in the service, or leave it unmanaged."],
  },
  WA1614: {
    title: "The program reads the object with get",
    meaning: "It was to be deleted, and was not, because the program still reads it.",
    money: "as before",
    next: [
      'To keep it: declare it once more with `deletionPolicy: "retain"`, run `pulumi up`, and then use `get`.',
      "To delete it: remove the `get` from the program, and run `pulumi up` again.",
    ],
  },
  WA1702: {
    title: "A look-up got a value that is not known yet",
    meaning: "No request was sent. `getX` takes plain values, and its `Provider` must be known.",
    money: "no",
    next: ["Use `getXOutput`, or wait for the value with `apply`."],
  },
  WA1703: {
    title: "The app has no such campaign",
    meaning: "The whole list was read, and this id is not in it.",
    money: "no",
    next: ["Give the service's own id. If you gave the ad platform's id, the message names the right one."],
  },
  WA1704: {
    title: "A response lacks a documented value",
    meaning:
      "The service answered, and the response is not what its specification shows. A look-up has no result. A step fails, because it does not know enough.",
    money: "no",
    next: ["Check that `workspace-apps:baseUrl` points to the service itself, or look for a newer version.", setPath],
  },
  WA1705: {
    title: "The security scan has not finished",
    meaning: "The scan takes longer than `waitForScan.timeoutSeconds`. It continues.",
    money: "no",
    next: ["Run the command again later. To read the scan without waiting, remove `waitForScan`."],
  },
  WA1706: {
    title: "The list of members may be incomplete",
    meaning: "A warning: the list changed while it was read, or does not show everyone. `totalDisagrees` is true.",
    money: "no",
    next: ["Run the command again. If the numbers still differ, the service counts someone whom it does not list."],
  },
  WA1801: {
    title: "The service did not store all fields of a record",
    meaning:
      "The record is in the state, without the dropped fields. Their names are not in the entity's schema, or are spelled differently there. They are not sent again.",
    money: "no",
    next: [
      "Correct the name, or remove the field from the program. Then run `pulumi up`.",
      "`Stored with another value`: declare the stored value. Until then, every `up` writes it again, which triggers automations.",
      "If the schema has the field by now: remove it, run `pulumi up`, then declare it again.",
    ],
  },
  WA1802: {
    title: "A write of a record was not carried out",
    meaning:
      "The record was read afterwards, and does not have what was sent. The service failed, or refused it by the credential or a rule of the entity.",
    money: "no",
    next: ["Change the rule, use a token that it allows, or remove the field from the program."],
  },
  WA1803: {
    title: "A record holds a number that cannot be restored",
    meaning:
      "It was not adopted, or the field was not added. JavaScript would round a number in it, so destroy could not put the value back. The record was not changed.",
    money: "no",
    next: ["Leave the field out of `fields`. It then keeps its value."],
  },
  WA1804: {
    title: "A record cannot be restored",
    meaning: "Its earlier values are not known, or the service did not take them back. The record stays in the stack.",
    money: "no",
    next: [
      "If the service did not take a value back: correct the field in the service, and run the command again.",
      'Or, in both cases, set `deletionPolicy` to "delete" or "retain", run `pulumi up`, then destroy.',
    ],
  },
  WA1810: {
    title: "The scan does not list the finding as ignored",
    meaning: "The service accepted the request. The finding is in the state as unconfirmed.",
    money: "no",
    next: ["Check the fingerprint, and the path of `finding.ignore`.", "Run `pulumi up` again. It ignores it again."],
  },
  WA1811: {
    title: "A finding is still ignored",
    meaning:
      "The service confirmed its restore, and the scan still lists it. The two requests use different credentials.",
    money: "no",
    next: ["Check that the token and the API key belong to the workspace of the app. Then run the command again."],
  },
  WA1820: {
    title: "No conversion goals exist",
    meaning: "A warning: the app has no advertising account yet, so the service created nothing.",
    money: "no",
    next: [
      "Launch a campaign of this app, which creates the account. Then run `pulumi up` again.",
      "If this program declares the campaign: give the resource the option `dependsOn`. If it does not: change `rerun`.",
    ],
  },
  WA1830: {
    title: "A coding session may be running",
    meaning: "It is unknown whether the session was launched. The message names its key.",
    money: "no",
    next: [
      "Run `pulumi up` again without changing the resource: it is the same launch.",
      "If the service refused it: fix the reported problem, and change `idempotencyKey` if you set it.",
    ],
  },
  WA1831: {
    title: "The service would return the old coding session",
    meaning: "A change would replace the session, and `idempotencyKey` stays the same. Nothing was sent.",
    money: "no",
    next: ["Change `idempotencyKey` too, or leave it out."],
  },
  WA2001: {
    title: "Wrong usage of workspace-apps",
    meaning: "The command did nothing. Exit code 2.",
    money: "no",
    next: ["Read the help of the command: `npx --no -- workspace-apps help review`."],
  },
  WA2002: {
    title: "A file or setting of workspace-apps cannot be used",
    meaning: "The command did nothing. Exit code 2.",
    money: "no",
    next: ["Fix the file, path or variable that the message names."],
  },
  WA2003: {
    title: "workspace-apps failed",
    meaning: "The command did not finish. Exit code 1.",
    money: "no",
    next: ["If the message does not help: report it as a bug, with the whole text."],
  },
  WA2010: {
    title: "The plan is incomplete",
    meaning: "The preview that made the plan failed, or its output was cut. Exit code 1.",
    money: "no",
    next: ["Fix the preview. Make the plan with `pulumi preview --json --show-sames --show-replacement-steps`."],
  },
  WA2011: {
    title: "The gates were not judged",
    meaning: "The review could not see everything that a gate needs. Exit code 1.",
    money: "no",
    next: ["Give what the message names, such as `--state` with the output of `pulumi stack export`."],
  },
  WA2012: {
    title: "The plan spends more than --max-daily-spend",
    meaning:
      "The campaigns of the plan may spend more a day than the gate allows, or an amount is unknown. Exit code 4.",
    money: "as before",
    next: [
      "Lower the budgets, or raise the gate on purpose.",
      "After `unknown currency`: the state has no currency before an app's first launch. Give a limit without one, such as `--max-daily-spend 100`.",
    ],
  },
  WA2013: {
    title: "The plan has what --fail-on names",
    meaning: "A risk of a category of `--fail-on` is in the plan. Exit code 3.",
    money: "as before",
    next: ["Read the report. Change the program, or let a person approve the plan."],
  },
  WA2020: {
    title: "adopt could not declare everything",
    meaning: "A program cannot declare an object. The program is written without it. Exit code 1.",
    money: "no",
    next: ["Fix the problem, and run the command again. Or leave the object unmanaged."],
  },
  WA2030: {
    title: "The settings of the policy pack are wrong",
    meaning:
      "The pack names a rule, a setting or a level that does not exist. It would have no effect, so the command fails.",
    money: "as before",
    next: ["Correct the settings. The message lists each problem."],
  },
} satisfies Readonly<Record<string, CatalogueEntry>>;

export type MessageCode = keyof typeof messageCodes;
