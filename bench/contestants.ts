import { shell } from "../provider/engine/shell";

/** One way of managing N webhooks. */
export interface Contestant {
  name: string;
  /** A program that declares `size` webhooks whose description is `label`. */
  program: (size: number, label: string) => string;
}

/** The least that any dynamic resource costs: the shortest shell, handlers that do nothing, the same inputs. */
export const floor: Contestant = {
  name: "floor",
  program: (size, label) => `
    const pulumi = require("@pulumi/pulumi");
    const type = "pulumi-nodejs:dynamic/workspace-apps:Webhook";
    const __provider = ${JSON.stringify(noOpShell())};
    for (let number = 0; number < ${String(size)}; number++)
      new pulumi.CustomResource(type, "hook-" + number, { __provider, enabled: true, ...${inputs(label)} });`,
};

export const ours: Contestant = {
  name: "ours",
  program: (size, label) => `
    const apps = require("pulumi-workspace-apps");
    for (let number = 0; number < ${String(size)}; number++)
      new apps.Webhook("hook-" + number, ${inputs(label)});`,
};

function inputs(label: string): string {
  return `{ agentId: "agent", targetUrl: "https://hooks.example.com/" + number, events: ["message.created"], description: "${label}" }`;
}

/** Written into the project, so that the stored text is as short as a text that locates a module can be. */
export const noOpModule = `
  let last = 0;
  exports.handlers = {
    check: (olds, inputs) => ({ inputs }),
    diff: (id, olds, news) => ({ changes: olds.description !== news.description }),
    create: (outs) => ({ id: "wh_" + ++last, outs }),
    read: (id, props) => ({ id, props }),
    update: (id, olds, outs) => ({ outs }),
    delete: () => {},
  };`;

function noOpShell(): string {
  return shell("handlers").replace("pulumi-workspace-apps/runtime", "no-op");
}
