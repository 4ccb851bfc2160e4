import { type EngineEvent, LocalWorkspace, type OutputMap, type Stack } from "@pulumi/pulumi/automation";
import * as apps from "pulumi-workspace-apps";

/** Each customer has an agent, and gets a stack. In a real program this comes from a database. */
const customers = [
  { name: "acme", agentId: "agent-acme", label: "Replies for Acme" },
  { name: "globex", agentId: "agent-globex", label: "Replies for Globex" },
];
type Customer = (typeof customers)[number];

/** The program of a customer's stack, as a function of this process. */
async function program({ agentId, label }: Customer): Promise<Record<string, unknown>> {
  const { members } = await apps.getMembers({ roles: ["owner"] });
  const replies = new apps.Webhook("replies", {
    agentId,
    targetUrl: "https://hooks.example.com/replies",
    events: ["message.completed"],
    description: label,
    signed: true,
  });
  return { webhookId: replies.webhookId, signingSecret: replies.secret, owners: members.map(({ email }) => email) };
}

async function stackOf(customer: Customer): Promise<Stack> {
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: customer.name, projectName: "workspace-apps-automation", program: () => program(customer) },
    // Pulumi starts the process that serves the resources in this folder, and looks for the package from there.
    { workDir: __dirname },
  );
  await stack.setAllConfig({
    "workspace-apps:baseUrl": { value: required("SERVICE_URL") },
    "workspace-apps:accessToken": { value: required("SERVICE_TOKEN"), secret: true },
  });
  return stack;
}

type Command = (stack: Stack, onEvent: (event: EngineEvent) => void) => Promise<void>;

/** Actions on a stack. Each prints what changes or has changed. */
const commands: Partial<Record<string, Command>> = {
  preview: async (stack, onEvent) => {
    const { changeSummary } = await stack.preview({ onEvent });
    print(stack, changeSummary);
  },
  up: async (stack, onEvent) => {
    const { outputs, summary } = await stack.up({ onEvent });
    print(stack, summary.resourceChanges, withoutSecrets(outputs));
  },
  refresh: async (stack, onEvent) => {
    const { summary } = await stack.refresh({ onEvent });
    print(stack, summary.resourceChanges);
  },
  destroy: async (stack, onEvent) => {
    const { summary } = await stack.destroy({ onEvent });
    print(stack, summary.resourceChanges);
    await stack.workspace.removeStack(stack.name);
  },
};

/** Runs a command for one customer. Returns the errors if it failed. */
async function errorsOf(command: Command, customer: Customer): Promise<string | undefined> {
  const errors: string[] = [];
  // Keeps only the errors: the debug messages among the events contain secrets in plain text.
  const onEvent = ({ diagnosticEvent }: EngineEvent): void => {
    if (diagnosticEvent?.severity === "error") errors.push(diagnosticEvent.message);
  };
  try {
    await command(await stackOf(customer), onEvent);
    return undefined;
  } catch (error) {
    return errors.length > 0 ? errors.join("") : String(error);
  }
}

async function main([name = "preview"]: string[]): Promise<void> {
  const command = commands[name];
  if (command === undefined) throw new Error(`Unknown command. Use one of: ${Object.keys(commands).join(", ")}`);
  for (const customer of customers) {
    const errors = await errorsOf(command, customer);
    if (errors === undefined) continue;
    console.error(`${customer.name}: ${name} failed.\n${errors}`);
    // A campaign may be spending, and somebody must read the message now: stop here.
    if (errors.includes("MONEY MAY BE MOVING")) process.exit(3);
    process.exitCode = 1;
  }
}

function print(stack: Stack, ...values: unknown[]): void {
  console.log(stack.name, ...values.map((value) => JSON.stringify(value)));
}

/** The outputs of a stack contain its secrets in plain text. */
function withoutSecrets(outputs: OutputMap): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, { value, secret }] of Object.entries(outputs)) shown[name] = secret ? "[secret]" : value;
  return shown;
}

function required(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`Set ${variable}.`);
  return value;
}

void main(process.argv.slice(2));
