/** The program of the plugin: serves the packaged provider until the engine ends it. */
import { EngineLog } from "./engine-log";
import { grpc } from "./protocol";
import { packageVersion, ProviderServer } from "./server";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb") as {
  ResourceProviderService: Parameters<InstanceType<typeof grpc.Server>["addService"]>[0];
};

// The engine gives its address as the last argument. Without one, it attaches later.
const address = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
const provider = new ProviderServer(packageVersion, address === undefined ? undefined : new EngineLog(address));
const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(ResourceProviderService, provider.handlers as never);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  // The engine reads the port from the first line.
  process.stdout.write(`${String(port)}\n`);
});

let isEnding = false;
/** Ends the plugin, but never a step under way: its request may have been carried out. */
const endWhenIdle = (): void => {
  if (isEnding && !provider.isBusy) process.exit();
};
provider.onStepEnd = endWhenIdle;
// The engine ends a plugin with an interrupt, and kills it some seconds later. Ctrl-C in a terminal may come here too.
for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const)
  process.on(signal, () => {
    isEnding = true;
    endWhenIdle();
  });
// A killed CLI cannot end its plugin. The id of its parent changes then.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) {
    isEnding = true;
    // Nobody would save what its steps go on to create.
    provider.interrupt();
  }
  endWhenIdle();
}, 500).unref();
