import type { Form } from "../tools/harness/form";

/** One way of managing N webhooks. */
export interface Contestant {
  name: "floor" | "ours" | "packaged" | "usual";
  /** The package's form, where the package is used. */
  form: Form;
  /** A program that declares `size` webhooks whose description is `label`. */
  program: (size: number, label: string) => string;
}

/** Each contestant is a class named Webhook that takes the same arguments, so that the programs have one shape. */
function programOf(name: Contestant["name"], webhook: string, form: Form = "dynamic"): Contestant {
  return {
    name,
    form,
    program: (size, label) => `
      const pulumi = require("@pulumi/pulumi");
      ${webhook}
      for (let number = 0; number < ${String(size)}; number++)
        new Webhook("hook-" + number, {
          agentId: "agent",
          targetUrl: "https://hooks.example.com/" + number,
          events: ["message.created"],
          description: "${label}",
        });`,
  };
}

/** The shortest text that finds a module: what a dynamic resource cannot do without. */
export const noOpShell = `exports.handler=()=>require("no-op").handlers`;

/** Written into the project. Ids are as long as the service's, and what the program leaves out is filled in as by ours. */
export const noOpModule = `
  let last = 0;
  exports.handlers = {
    check: (olds, inputs) => ({ inputs: { enabled: true, ...inputs } }),
    diff: (id, olds, news) => ({ changes: olds.description !== news.description }),
    create: (outs) => ({ id: "wh_" + String(++last).padStart(17, "0"), outs }),
    read: (id, props) => ({ id, props }),
    update: (id, olds, outs) => ({ outs }),
    delete: () => {},
  };`;

/** The least that any dynamic resource costs: the shortest shell, handlers that do nothing, the same inputs. */
export const floor = programOf(
  "floor",
  `
      class Webhook extends pulumi.CustomResource {
        constructor(name, args) {
          super("pulumi-nodejs:dynamic/workspace-apps:Webhook", name, { ...args, __provider: ${JSON.stringify(noOpShell)} });
        }
      }`,
);

const ownClass = `const { Webhook } = require("pulumi-workspace-apps");`;

export const ours = programOf("ours", ownClass);

/** The same class by the plugin: the project changes the import. */
export const packaged = programOf("packaged", ownClass, "packaged");

/** How dynamic resources are usually written: an object with inline methods and the global `fetch`, captured whole. */
export const usual = programOf(
  "usual",
  `
      async function call(method, path, body) {
        const response = await fetch(process.env.WORKSPACE_APPS_BASE_URL + path, {
          method,
          headers: {
            authorization: "Bearer " + process.env.WORKSPACE_APPS_ACCESS_TOKEN,
            "content-type": "application/json",
          },
          body: body && JSON.stringify(body),
        });
        if (response.status === 404) return undefined;
        if (!response.ok) throw new Error(method + " " + path + ": " + response.status);
        return response.json();
      }
      const provider = {
        async check(olds, news) {
          const failures = [];
          if (!news.targetUrl.startsWith("https:")) failures.push({ property: "targetUrl", reason: "must be https" });
          return { inputs: { enabled: true, ...news }, failures };
        },
        async diff(id, olds, news) {
          const keys = ["targetUrl", "events", "description", "enabled"];
          const changes = keys.some((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]));
          const replaces = olds.agentId === news.agentId ? [] : ["agentId"];
          return { changes: changes || replaces.length > 0, replaces };
        },
        async create(inputs) {
          const made = await call("POST", "/api/agents/" + inputs.agentId + "/webhooks", {
            target_url: inputs.targetUrl,
            events: inputs.events,
            description: inputs.description,
          });
          return { id: made.id, outs: { ...inputs, webhookId: made.id, createdDate: made.created_date } };
        },
        async read(id, props) {
          const webhook = await call("GET", "/api/agents/" + props.agentId + "/webhooks/" + id);
          if (!webhook) return {};
          const { target_url: targetUrl, events, description } = webhook;
          return { id, props: { ...props, targetUrl, events, description, enabled: !webhook.disabled_at } };
        },
        async update(id, olds, news) {
          await call("PATCH", "/api/agents/" + news.agentId + "/webhooks/" + id, {
            target_url: news.targetUrl,
            events: news.events,
            description: news.description,
            enabled: news.enabled,
          });
          return { outs: { ...olds, ...news } };
        },
        async delete(id, props) {
          await call("DELETE", "/api/agents/" + props.agentId + "/webhooks/" + id);
        },
      };
      class Webhook extends pulumi.dynamic.Resource {
        constructor(name, args) {
          const outputs = { webhookId: undefined, createdDate: undefined };
          super(provider, name, { ...outputs, ...args }, undefined, "workspace-apps", "Webhook");
        }
      }`,
);
