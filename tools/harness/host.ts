import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import path from "node:path";
import * as grpc from "@grpc/grpc-js";
import { installedProject } from "./installation";

/* Pulumi ships the generated classes without types. */
/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-explicit-any */
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const messages = require("@pulumi/pulumi/proto/provider_pb");
const status = require("@pulumi/pulumi/proto/status_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

type Properties = Record<string, unknown>;

export interface InitializationFailure {
  id: string;
  properties: Properties;
  reasons: string[];
}

/** A call that the host answered with an error, and the state that it wants to be saved. */
export class HostError extends Error {
  constructor(
    message: string,
    readonly saved: InitializationFailure | undefined,
  ) {
    super(message);
  }
}

/** The dynamic host of `@pulumi/pulumi` in the packed install, called over gRPC as the engine calls it. */
export class DynamicHost {
  /** The printed text. */
  output = "";
  private constructor(
    readonly process: ChildProcess,
    private readonly client: any,
  ) {}

  static async start(config: Record<string, string>, environment: Record<string, string> = {}): Promise<DynamicHost> {
    const script = path.join(installedProject(), "node_modules/@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [script, "127.0.0.1:1"], {
      cwd: installedProject(),
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => {
        reject(new Error(`The host ended with ${String(code)}.`));
      });
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const host = new DynamicHost(child, client);
    child.stdout.on("data", (chunk: Buffer) => (host.output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (host.output += chunk.toString()));
    const request = new messages.ConfigureRequest();
    request.setArgs(Struct.fromJavaScript(config));
    await host.call("configure", request);
    return host;
  }

  async check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }> {
    const request = new messages.CheckRequest();
    request.setOlds(Struct.fromJavaScript(olds));
    request.setNews(Struct.fromJavaScript(news));
    const answer = await this.call("check", request);
    const failures = answer.getFailuresList().map((failure: any) => String(failure.getReason()));
    return { inputs: answer.getInputs().toJavaScript(), failures };
  }

  async diff(
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: string; replaces: string[]; deleteFirst: boolean }> {
    const request = new messages.DiffRequest();
    request.setId("id");
    request.setOlds(Struct.fromJavaScript(olds));
    request.setNews(Struct.fromJavaScript(news));
    const answer = await this.call("diff", request);
    return {
      changes: { 0: "unknown", 1: "none", 2: "some" }[answer.getChanges() as 0 | 1 | 2],
      replaces: answer.getReplacesList(),
      deleteFirst: answer.getDeletebeforereplace(),
    };
  }

  async create(properties: Properties): Promise<{ id: string; properties: Properties }> {
    const request = new messages.CreateRequest();
    request.setProperties(Struct.fromJavaScript(properties));
    const answer = await this.call("create", request);
    return { id: answer.getId(), properties: answer.getProperties().toJavaScript() };
  }

  async read(id: string, properties: Properties): Promise<{ id: string; properties: Properties; inputs?: Properties }> {
    const request = new messages.ReadRequest();
    request.setId(id);
    request.setProperties(Struct.fromJavaScript(properties));
    const answer = await this.call("read", request);
    return {
      id: answer.getId(),
      properties: answer.getProperties()?.toJavaScript() ?? {},
      ...(answer.hasInputs() ? { inputs: answer.getInputs().toJavaScript() } : {}),
    };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.UpdateRequest();
    request.setId(id);
    request.setOlds(Struct.fromJavaScript(olds));
    request.setNews(Struct.fromJavaScript(news));
    return (await this.call("update", request)).getProperties().toJavaScript();
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setId(id);
    request.setProperties(Struct.fromJavaScript(properties));
    await this.call("delete", request);
  }

  async stop(): Promise<void> {
    this.client.close();
    // "close" comes after all output has arrived.
    const ended = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill();
    await ended;
  }

  private call(method: string, request: unknown): Promise<any> {
    return new Promise((resolve, reject) => {
      this.client[method](
        request,
        (error: (grpc.ServiceError & { metadata: grpc.Metadata }) | null, answer: unknown) => {
          if (error === null) resolve(answer);
          else reject(new HostError(error.details, initializationFailure(error.metadata)));
        },
      );
    });
  }
}

function initializationFailure(metadata: grpc.Metadata): InitializationFailure | undefined {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined) return undefined;
  const [detail] = status.Status.deserializeBinary(bytes).getDetailsList();
  const failure = detail.unpack(
    messages.ErrorResourceInitFailed.deserializeBinary,
    "pulumirpc.ErrorResourceInitFailed",
  );
  return { id: failure.getId(), properties: failure.getProperties().toJavaScript(), reasons: failure.getReasonsList() };
}
