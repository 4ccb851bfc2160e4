import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/engine_pb";
import { grpc } from "./protocol";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { EngineClient: Client } = require("@pulumi/pulumi/proto/engine_grpc_pb") as {
  EngineClient: typeof EngineClient;
};

/** Shows lines among the messages of a resource. */
export class EngineLog {
  private readonly client: EngineClient;
  /** Lines on their way, so that a step ends after its lines were shown. */
  private readonly pending = new Set<Promise<void>>();

  constructor(address: string) {
    this.client = new Client(address, grpc.credentials.createInsecure(), { "grpc.max_send_message_length": -1 });
  }

  info(urn: string, line: string): void {
    void this.send(messages.LogSeverity.INFO, urn, line).catch(() => undefined);
  }

  warn(urn: string, line: string): void {
    void this.send(messages.LogSeverity.WARNING, urn, line).catch(() => undefined);
  }

  /** Resolves once the engine has the line. Rejects when the command has ended. */
  announce(urn: string, line: string): Promise<void> {
    return this.send(messages.LogSeverity.INFO, urn, line);
  }

  /** Resolves when all lines so far were shown, or cannot be any more. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.pending);
  }

  private send(severity: messages.LogSeverity, urn: string, line: string): Promise<void> {
    const request = new messages.LogRequest();
    request.setSeverity(severity);
    request.setUrn(urn);
    request.setMessage(line);
    const sent = new Promise<void>((resolve, reject) => {
      this.client.log(request, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
    this.pending.add(sent);
    void sent.catch(() => undefined).finally(() => this.pending.delete(sent));
    return sent;
  }
}
