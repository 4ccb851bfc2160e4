import assert from "node:assert/strict";
import type * as plugins from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { EngineLog } from "../../provider/pulumi/packaged/engine-log";
import { fromStruct, toStruct } from "../../provider/pulumi/packaged/properties";
import { ProviderServer } from "../../provider/pulumi/packaged/server";
import type { Properties } from "../../provider/pulumi/saved";

type Method<Response> = (
  call: { request: unknown },
  callback: (error: Error | null, response?: Response) => void,
) => void;

/** The fields of a request. Objects of plain values become structs. */
type Fields = Partial<Record<"urn" | "id" | "tok", string>> & { timeout?: number } & Partial<
    Record<"args" | "news" | "olds" | "oldInputs" | "properties" | "inputs", Properties>
  >;

/** The plugin, called as the engine calls it, with plain values. */
export class Plugin {
  private readonly server: ProviderServer;

  constructor(log?: EngineLog) {
    this.server = new ProviderServer("1.0.0", log);
  }

  async configure(settings: Properties): Promise<void> {
    await this.call("configure", filled(new messages.ConfigureRequest(), { args: settings }));
  }

  attach(request: plugins.PluginAttach): Promise<unknown> {
    return this.call("attach", request);
  }

  cancel(): Promise<unknown> {
    return this.call("cancel", {});
  }

  async check(
    fields: Fields,
    method: "check" | "checkConfig" = "check",
  ): Promise<{ inputs: Properties; problems: string[] }> {
    const response = await this.call<messages.CheckResponse>(method, filled(new messages.CheckRequest(), fields));
    const failures = response.getFailuresList();
    for (const failure of failures) assert.equal(failure.getProperty(), "", "the engine would print its value");
    return { inputs: fromStruct(response.getInputs()), problems: failures.map((failure) => failure.getReason()) };
  }

  /** How each property differs, by the name of its kind. */
  async diff(fields: Fields, method: "diff" | "diffConfig" = "diff"): Promise<Record<string, string>> {
    const response = await this.call<messages.DiffResponse>(method, filled(new messages.DiffRequest(), fields));
    const kinds = Object.entries(messages.PropertyDiff.Kind);
    const found: Record<string, string> = {};
    response.getDetaileddiffMap().forEach((difference: messages.PropertyDiff, path: string) => {
      found[path] = kinds.find(([, value]) => value === difference.getKind())?.[0] ?? "";
    });
    return found;
  }

  async create(fields: Fields): Promise<string> {
    const request = filled(new messages.CreateRequest(), fields);
    return (await this.call<messages.CreateResponse>("create", request)).getId();
  }

  async read(fields: Fields): Promise<{ id: string; inputs: Properties; outputs: Properties }> {
    const response = await this.call<messages.ReadResponse>("read", filled(new messages.ReadRequest(), fields));
    const outputs = fromStruct(response.getProperties());
    return { id: response.getId(), inputs: fromStruct(response.getInputs()), outputs };
  }

  update(fields: Fields): Promise<unknown> {
    return this.call("update", filled(new messages.UpdateRequest(), fields));
  }

  delete(fields: Fields): Promise<unknown> {
    return this.call("delete", filled(new messages.DeleteRequest(), fields));
  }

  /** The result of a look-up, or why it failed. */
  async invoke(name: string, args: Properties = {}): Promise<{ result: Properties; problem: string }> {
    const request = filled(new messages.InvokeRequest(), { tok: `workspace-apps:index:${name}`, args });
    const response = await this.call<messages.InvokeResponse>("invoke", request);
    const failures = response.getFailuresList();
    return {
      result: fromStruct(response.getReturn()),
      problem: failures.map((failure) => failure.getReason()).join("\n"),
    };
  }

  private call<Response>(method: keyof ProviderServer["handlers"], request: unknown): Promise<Response> {
    return new Promise((resolve, reject) => {
      (this.server.handlers[method] as unknown as Method<Response>)({ request }, (error, response) => {
        if (error === null) resolve(response as Response);
        else reject(error);
      });
    });
  }
}

function filled<Request extends object>(request: Request, fields: Fields): Request {
  const setters = request as Record<string, (value: unknown) => void>;
  for (const [name, value] of Object.entries(fields)) {
    const set = setters[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`] ?? assert.fail(`no field ${name}`);
    set.call(request, typeof value === "object" ? toStruct(value) : value);
  }
  return request;
}
