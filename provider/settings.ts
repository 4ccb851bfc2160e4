import { z } from "zod";
import { didYouMean } from "./did-you-mean";
import type { Connection } from "./service/endpoints";
import { defaultLaunchQuarantineSeconds } from "./service/campaigns";
import { withCode } from "./service/errors";
import { isOperationId, operations, parameterNames } from "./service/operations";
import { isLoopback } from "./service/public-url";
import { parseUrl } from "./service/urls";

/** The namespace of the configuration keys: `pulumi config set workspace-apps:baseUrl …`. */
export const configNamespace = "workspace-apps";

export interface Settings extends Connection {
  readonly launchSettleSeconds: number;
  readonly launchQuarantineSeconds: number;
  readonly maxDailyBudgetMicros: number | undefined;
  readonly maxAppDailyBudgetMicros: number | undefined;
}

/** The problem of one setting, and how to set it. */
export interface SettingProblem {
  readonly key: SettingKey;
  readonly problem: string;
  readonly fix: string;
}

/** Settings are missing or malformed. The message names the key and the variable of each, never a value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";

  constructor(
    message: string,
    readonly problems: readonly SettingProblem[] = [],
  ) {
    super(message);
  }
}

/** Runs what reads settings. Returns why that failed, undefined where it did not. */
export function settingsErrorOf(read: () => unknown): SettingsError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

const headerValue = z
  .string()
  .regex(/^(?!Bearer )/i, { error: 'must be the token alone, without "Bearer"', abort: true })
  .regex(/^[\x21-\x7e]+$/, "must be one line of printable characters without spaces");

const seconds = (min: number) =>
  z.coerce
    .number("must be a number of seconds")
    .min(min, `must be at least ${String(min)} seconds`)
    .max(86_400, "must be at most 86400 seconds (a day)");

const budget = () =>
  z.coerce
    .number("must be a whole number of micros")
    .int("must be a whole number of micros")
    .positive("must be above 0")
    .optional();

const schema = z.object({
  baseUrl: z
    .string("is not set")
    .superRefine((text, context) => {
      const problem = baseUrlProblem(text);
      if (problem !== undefined) context.addIssue(problem);
    })
    // One spelling for each service: `readBy` in the state is made of it.
    .transform((text) => (parseUrl(text)?.href ?? text).replace(/\/+$/, "")),
  accessToken: z.string("is not set").pipe(headerValue),
  apiKey: headerValue.optional(),
  endpoints: jsonText().superRefine((map, context) => {
    for (const [id, endpoint] of Object.entries(map)) {
      const problem = endpointProblem(id, endpoint);
      if (problem !== undefined) context.addIssue(problem);
    }
  }),
  documentedOnly: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .transform((text) => text === "true"),
  rateLimits: jsonText().superRefine((map, context) => {
    for (const [id, limit] of Object.entries(map)) {
      if (!isOperationId(id)) context.addIssue(unknownOperation(id));
      else if (!Number.isInteger(limit) || (limit as number) < 1)
        context.addIssue(`"${id}" must be a whole number of requests per minute, at least 1`);
    }
  }),
  requestTimeoutSeconds: seconds(0.1).default(30),
  launchSettleSeconds: seconds(0).default(30),
  launchQuarantineSeconds: seconds(0).default(defaultLaunchQuarantineSeconds),
  maxDailyBudgetMicros: budget(),
  maxAppDailyBudgetMicros: budget(),
});

export type SettingKey = keyof Settings;

/** The text that is given for a setting. */
export type TextOf = (key: SettingKey) => string | undefined;

export const settingKeys = Object.keys(schema.shape) as SettingKey[];

export const environmentPrefix = "WORKSPACE_APPS_";

const nameOfSetting = new RegExp(
  `(?<![\\w/:-])${configNamespace}:(${settingKeys.join("|")})(?![\\w/:-])(?: \\(or ${environmentPrefix}\\w+\\)| or ${environmentPrefix}\\w+)?`,
  "g",
);

/**
 * A message of a Provider's resource or look-up. A Provider reads no setting of the stack: a token that is set there would
 * go to the stack's workspace.
 */
export function inWordsOfProvider(message: string): string {
  return message.replace(nameOfSetting, "the Provider's $1");
}

/** `requestTimeoutSeconds` → `WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS`. */
export function environmentName(key: SettingKey): string {
  return `${environmentPrefix}${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** A setting as it was given, and where. */
export interface GivenSetting {
  readonly text: string;
  readonly place: "stack" | "environment";
}

/** The value of a setting: from the stack's configuration, else from the environment. A blank one counts as not set. */
export function givenSetting(
  key: SettingKey,
  configured: TextOf,
  environment: NodeJS.ProcessEnv,
): GivenSetting | undefined {
  const stack = configured(key)?.trim();
  if (stack) return { text: stack, place: "stack" };
  const variable = environment[environmentName(key)]?.trim();
  return variable ? { text: variable, place: "environment" } : undefined;
}

/** How messages name a setting, and how to set it. */
interface Source {
  readonly nameOf: (key: SettingKey) => string;
  readonly fixOf: (key: SettingKey) => string;
}

const ofStack: Source = {
  nameOf: (key) => `${configNamespace}:${key}`,
  fixOf(key) {
    const secret = isSecretSetting(key) ? "--secret " : "";
    return `Set it with \`pulumi config set ${secret}${configNamespace}:${key} …\` or in ${environmentName(key)}.`;
  },
};

const ofProvider: Source = {
  nameOf: (key) => `The Provider's ${key}`,
  fixOf: () => "Set it in the arguments of the Provider.",
};

/** Reads all settings from the stack's configuration, else from the environment. Reports all problems at once. */
export function readSettings(configured: TextOf, environment: NodeJS.ProcessEnv = process.env): Settings {
  return parse(configured, environment, ofStack);
}

/** The settings of a Provider. Omitted ones have their defaults: a token must not reach another workspace. */
export function readProviderSettings(given: TextOf): Settings {
  return parse(given, {}, ofProvider);
}

function parse(configured: TextOf, environment: NodeJS.ProcessEnv, { nameOf, fixOf }: Source): Settings {
  const given = Object.fromEntries(
    settingKeys.flatMap((key) => {
      const setting = givenSetting(key, configured, environment);
      return setting === undefined ? [] : [[key, setting.text]];
    }),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data as Settings;
  const isKeyAlone = given["accessToken"] === undefined && given["apiKey"] !== undefined;
  const problems = result.error.issues.map(({ path, message }): [string, SettingProblem] => {
    const key = path[0] as SettingKey;
    const why =
      key === "accessToken" && isKeyAlone
        ? "; apiKey alone is not enough, because many operations take only the token"
        : "";
    const problem = { key, problem: message + why, fix: fixOf(key) };
    return [withCode("WA1001", `${nameOf(key)} ${problem.problem}. ${problem.fix}`), problem];
  });
  // A rule that fails twice is one problem.
  const lines = new Map(problems);
  throw new SettingsError([...lines.keys()].join("\n"), [...lines.values()]);
}

/** Whether the value of a setting must never be shown. */
export function isSecretSetting(key: SettingKey): boolean {
  return key === "accessToken" || key === "apiKey";
}

function jsonText() {
  return z
    .string()
    .default("{}")
    .transform((text, context): Record<string, unknown> => {
      try {
        const value: unknown = JSON.parse(text);
        if (typeof value === "object" && value !== null && !Array.isArray(value))
          return value as Record<string, unknown>;
      } catch {
        // Reported below, like a JSON value of another type.
      }
      context.addIssue("must be a JSON object");
      return z.NEVER;
    });
}

function baseUrlProblem(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return "must be an absolute URL";
  if (url.username || url.password || url.search || url.hash)
    return "must not carry credentials, a query or a fragment";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && isLoopback(url.hostname)) return undefined;
  return "must be https (plain http only for a loopback address)";
}

/** Also for the simulator's limits. */
export function unknownOperation(id: string): string {
  const known = Object.keys(operations);
  const suggestion = didYouMean(id, known);
  const hint = suggestion === undefined ? `use one of ${known.join(", ")}` : `did you mean "${suggestion}"?`;
  return `has an unknown operation "${id}" (${hint})`;
}

function endpointProblem(id: string, endpoint: unknown): string | undefined {
  if (!isOperationId(id)) return unknownOperation(id);
  if (endpoint === "none") return undefined;
  if (typeof endpoint !== "string" || !/^(GET|POST|PUT|PATCH|DELETE) \/[^\s?#]*$/.test(endpoint))
    return `"${id}" must be "METHOD /path/{parameter}" or "none"`;
  // A path without a parameter would act on more than one object.
  const expected = parameterNames(operations[id].endpoint).sort();
  if (parameterNames(endpoint).sort().join() !== expected.join())
    return `"${id}" must use each of ${expected.map((name) => `{${name}}`).join(", ")} once and no other parameter`;
  return undefined;
}
