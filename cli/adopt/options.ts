import { isUserEntity } from "../../provider/resources/entity-record/record";
import { segmentProblem } from "../../provider/service/endpoints";
import { UsageError } from "../command";
import { parseOptions } from "../options";
import type { Entity, Parents } from "./inventory";

export interface Options extends Parents {
  /** Outputs of `pulumi stack export`. */
  readonly exclude: readonly string[];
  /** Undefined for standard output. */
  readonly out: string | undefined;
  readonly format: Format;
}

const formats = ["program", "import"] as const;

/** The output: a program that adopts, or the file for `pulumi import --file`. */
export type Format = (typeof formats)[number];

const several = { type: "string", multiple: true, default: [] as string[] } as const;

export function optionsFrom(args: string[]): Options {
  const { values } = parseOptions({
    args,
    options: {
      agent: several,
      app: several,
      folder: several,
      entity: several,
      exclude: several,
      out: several,
      format: several,
    },
  });
  const options = {
    agents: idsFrom("agent", values.agent),
    apps: idsFrom("app", values.app),
    folders: idsFrom("folder", values.folder),
    entities: [...new Set(values.entity)].map(entityFrom),
    exclude: values.exclude,
    out: values.out[0],
    format: formatFrom(values.format),
  };
  if (values.out.length > 1) throw new UsageError("Give --out once.");
  const { agents, apps, folders, entities } = options;
  if (agents.length + apps.length + folders.length + entities.length === 0)
    throw new UsageError("Give at least one --agent, --app, --folder or --entity.");
  return options;
}

function formatFrom([given = "program", ...more]: readonly string[]): Format {
  if (more.length > 0) throw new UsageError("Give --format once.");
  const format = formats.find((one) => one === given);
  if (format === undefined) throw new UsageError(`--format must be one of ${formats.join(", ")}.`);
  return format;
}

function idsFrom(option: string, given: readonly string[]): string[] {
  for (const id of given) requireId(`--${option}`, id);
  return [...new Set(given)];
}

function entityFrom(given: string): Entity {
  const [appId = "", entityName = "", ...more] = given.split("/");
  if (more.length > 0 || entityName === "")
    throw new UsageError("--entity must be APP/ENTITY, such as app-shop/TaxRate.");
  requireId("--entity", appId);
  requireId("--entity", entityName);
  if (isUserEntity(entityName))
    throw new UsageError("--entity must not be User: its list is not the app's real user accounts.");
  return { appId, entityName };
}

function requireId(option: string, id: string): void {
  const problem = segmentProblem(id);
  if (problem !== undefined) throw new UsageError(`${option} ${problem}.`);
}
