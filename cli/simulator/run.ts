import { z } from "zod";
import { readJson } from "../../provider/service/json";
import { isOperationId, type OperationId } from "../../provider/service/operations";
import { unknownOperation } from "../../provider/settings";
import { type Credential, defaultCredentials, type Simulator, startSimulator } from "../../simulator";
import { type Output, UsageError } from "../command";
import { parseOptions } from "../options";

/** @public `workspace-apps.ts` requires it. */
export async function run(args: string[], { out }: Output): Promise<number> {
  const { port, limits, token } = optionsFrom(args);
  const started = await startSimulator({ port, limits, credentials: credentialsWith(token) }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      throw new Error(
        `Port ${String(port)} is in use by another program. Choose another with --port, or --port 0 for any free port.`,
        { cause: error },
      );
    },
  );
  out(greeting(started, token));
  await interrupted();
  await started.close();
  return 0;
}

function optionsFrom(args: string[]) {
  const { values } = parseOptions({
    args,
    options: {
      port: { type: "string", default: "4010" },
      limits: { type: "string", default: "{}" },
      token: { type: "string" },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new UsageError("--port must be a whole number from 0 to 65535.");
  if (values.token !== undefined && !/^[\x21-\x7e]+$/.test(values.token))
    throw new UsageError("--token must be printable ASCII characters without spaces.");
  return { port, limits: limitsFrom(values.limits), token: values.token };
}

const limitsShape = z.record(z.string(), z.int().positive());

function limitsFrom(text: string): Partial<Record<OperationId, number>> {
  const read = readJson(text);
  const { data: limits } = limitsShape.safeParse("json" in read ? read.json : undefined);
  if (limits === undefined)
    throw new UsageError(
      `--limits must be JSON with requests per minute by operation, such as '{"webhook.update": 1000}'.`,
    );
  for (const id of Object.keys(limits))
    if (!isOperationId(id)) throw new UsageError(`--limits ${unknownOperation(id)}.`);
  return limits;
}

function credentialsWith(token: string | undefined): Credential[] {
  return defaultCredentials.map((credential, index) =>
    index === 0 && token !== undefined ? { ...credential, value: token } : credential,
  );
}

const valueWidth = 23;

/** Leaves out a token that the user gave: it may be a real one. */
function greeting({ url }: Simulator, token: string | undefined): string {
  const [fullAccess, ...others] = defaultCredentials.map(
    ({ value, kind, permission = "full_access", workspace }) =>
      `  ${value.padEnd(valueWidth)}${kind}, ${permission}${workspace === undefined ? "" : `, of the workspace "${workspace}"`}`,
  );
  const first = token === undefined ? fullAccess : `  ${"(--token)".padEnd(valueWidth)}personal-token, full_access`;
  return `The simulator listens on ${url} (this machine only). It accepts these credentials:
${[first, ...others].join("\n")}

See what it holds, what it was asked, and what will go wrong next:
  ${url}/__simulator/

Point a program at it:
  export WORKSPACE_APPS_BASE_URL=${url}
  export WORKSPACE_APPS_ACCESS_TOKEN=${token === undefined ? "full-access-token" : "<the value of --token>"}
  pulumi up

Press Ctrl-C to stop it.
`;
}

async function interrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}
