import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type * as Grpc from "@grpc/grpc-js";
import * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type AnyLifecycle, lifecycles, lookups } from "../../registry";
import { createDeployment, type Deployment, forStep } from "../../resources/shared/deployment";
import { ServiceClient } from "../../service/client";
import { interruptible, systemClock } from "../../service/clock";
import { ReportedError, withCode } from "../../service/errors";
import { inWordsOfProvider, isSecretSetting, settingKeys } from "../../settings";
import { withoutValue } from "../check-step";
import { resourceDigitsKey, placeIn, placeKey, resourceDigitsOf } from "../hidden-inputs";
import { awaitedKey, LookupFailure, LookupRun, secretArgumentsKey } from "../lookup-run";
import { type Saved, SavedFailure, visible } from "../saved";
import { type Steps, stepsOf } from "../steps";
import { kindOfType, packagedTypePrefix, partsOfUrn } from "../urn";
import { changedSettings, configurationProblems, markedConfiguration, settingsIn } from "./configuration";
import { explicitKey } from "../provider-arguments";
import { EngineLog } from "./engine-log";
import { previewOf } from "./preview";
import { fromStruct, toStruct } from "./properties";
import { Empty } from "./protocol";
import { asGrpcError, checkResponse, diffResponse, initializationFailure } from "./responses";

/** A package finds itself by its own name, from its sources and from `dist/`. */
const packageFile = require.resolve("pulumi-workspace-apps/package.json");

export const { version: packageVersion } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };

/* The packaged provider: the lifecycles as Pulumi's engine calls a provider plugin. */

interface Served {
  readonly lifecycle: AnyLifecycle;
  readonly steps: Steps;
}

type Handler<Request, Response> = Grpc.handleUnaryCall<Request, Response>;

/** The common part of every request about a resource. */
interface OfResource {
  getUrn(): string;
}

/** The result of the engine's configuration. */
interface Configured {
  readonly deployment: Deployment;
  /** The look-ups of this command. */
  readonly lookups: LookupRun;
  /** Whether a program declares the Provider. */
  readonly isOfProvider: boolean;
}

export class ProviderServer {
  private readonly kinds = new Map<string, Served>(
    lifecycles.map((lifecycle) => [lifecycle.kind, { lifecycle, steps: stepsOf(lifecycle) }]),
  );
  private configured: Configured | undefined;
  private cancelling = new AbortController();
  private running = 0;
  /** Called after every step. */
  onStepEnd: () => void = () => undefined;

  constructor(
    private readonly version: string,
    private log: EngineLog | undefined,
  ) {}

  /** Whether a step is in progress. */
  get isBusy(): boolean {
    return this.running > 0;
  }

  readonly handlers: Partial<IResourceProviderServer> = {
    getPluginInfo: this.handle(() => {
      const response = new plugin.PluginInfo();
      response.setVersion(this.version);
      return response;
    }),

    getSchema: this.handle(() => {
      const response = new messages.GetSchemaResponse();
      response.setSchema(JSON.stringify({ ...readSchema(), version: this.version }));
      return response;
    }),

    attach: this.handle<plugin.PluginAttach, InstanceType<typeof Empty>>((request) => {
      this.log = new EngineLog(request.getAddress());
      return new Empty();
    }),

    checkConfig: this.handle<messages.CheckRequest, messages.CheckResponse>((request) => {
      const configuration = markedConfiguration(request.getUrn(), fromStruct(request.getNews()));
      const problems = configurationProblems(request.getUrn(), configuration);
      return checkResponse(configuration, problems, settingKeys.filter(isSecretSetting));
    }),

    diffConfig: this.handle<messages.DiffRequest, messages.DiffResponse>((request) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      return diffResponse({ changed: changedSettings(olds, news), replaces: [], oldInputs: olds, news });
    }),

    configure: this.handle<messages.ConfigureRequest, messages.ConfigureResponse>((request) => {
      const args = fromStruct(request.getArgs());
      const settings = settingsIn(args);
      this.cancelling = new AbortController();
      // Each step and each look-up has its own log.
      const quiet = (): void => undefined;
      const service = new ServiceClient(settings, systemClock, quiet);
      const clock = interruptible(systemClock, this.cancelling.signal);
      this.configured = {
        deployment: createDeployment(service, settings, systemClock, quiet),
        lookups: new LookupRun(service.forStep(clock, quiet), clock),
        isOfProvider: explicitKey in args,
      };
      const response = new messages.ConfigureResponse();
      response.setSupportspreview(true);
      return response;
    }),

    invoke: this.handle<messages.InvokeRequest, messages.InvokeResponse>((request) => this.invoke(request)),

    check: this.handle<messages.CheckRequest, messages.CheckResponse>((request) => {
      const urn = request.getUrn();
      const news = fromStruct(request.getNews());
      const { steps } = this.kindOf(urn);
      const deployment = this.deploymentFor(request);
      // The class gives one that also depends on the organization.
      const resourceDigits = (news[resourceDigitsKey] as string | undefined) ?? resourceDigitsOf(urn);
      const place = (news[placeKey] as string | undefined) ?? placeIn(urn);
      const olds = fromStruct(request.getOlds());
      const declaration = { place, name: partsOfUrn(urn).name, resourceDigits };
      const { inputs, problems } = steps.check(olds, news, declaration, deployment);
      return checkResponse(
        inputs,
        problems.map(withoutValue).map(({ property, reason }) => ({ property, reason: this.inOwnWords(reason) })),
      );
    }),

    diff: this.handle<messages.DiffRequest, messages.DiffResponse>((request) => {
      const { lifecycle, steps } = this.kindOf(request.getUrn());
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const { isChanged, changed, replaces } = steps.diff(olds, news, () => this.deploymentFor(request));
      return diffResponse({
        isChanged,
        changed,
        replaces,
        deleteBeforeReplace: lifecycle.deleteBeforeReplace ?? false,
        oldInputs: fromStruct(request.getOldInputs()),
        news,
      });
    }),

    create: this.handle<messages.CreateRequest, messages.CreateResponse>(async (request) => {
      const { lifecycle, steps } = this.kindOf(request.getUrn());
      const news = fromStruct(request.getProperties());
      const saved = request.getPreview()
        ? { id: "", outputs: previewOf(lifecycle, {}, news) }
        : await this.savingFailure(lifecycle, () =>
            steps.create(news, this.deploymentFor(request, request.getTimeout())),
          );
      const response = new messages.CreateResponse();
      response.setId(saved.id);
      response.setProperties(toStruct(saved.outputs, lifecycle.secretOutputs));
      return response;
    }),

    read: this.handle<messages.ReadRequest, messages.ReadResponse>(async (request) => {
      const { lifecycle, steps } = this.kindOf(request.getUrn());
      const olds = fromStruct(request.getProperties());
      const deployment = this.deploymentFor(request, request.getTimeout());
      // A `get` passes what the program gives both as inputs and as state, an import nothing. A state always has more.
      const isImport =
        Object.keys(visible(olds)).length === 0 || isDeepStrictEqual(fromStruct(request.getInputs()), olds);
      const read = isImport
        ? await steps.import(request.getId(), deployment, request.getUrn())
        : await steps.read(olds, deployment);
      const response = new messages.ReadResponse();
      if (read === undefined) return response;
      response.setId(read.id);
      response.setProperties(toStruct(read.outputs, lifecycle.secretOutputs));
      response.setInputs(toStruct(read.inputs, lifecycle.secretOutputs));
      return response;
    }),

    update: this.handle<messages.UpdateRequest, messages.UpdateResponse>(async (request) => {
      const { lifecycle, steps } = this.kindOf(request.getUrn());
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      if (request.getPreview()) steps.requireImportUnchanged(olds, news, this.deploymentFor(request));
      const outputs = request.getPreview()
        ? previewOf(lifecycle, olds, news)
        : (
            await this.savingFailure(lifecycle, () =>
              steps.update(olds, news, this.deploymentFor(request, request.getTimeout())),
            )
          ).outputs;
      const response = new messages.UpdateResponse();
      response.setProperties(toStruct(outputs, lifecycle.secretOutputs));
      return response;
    }),

    delete: this.handle<messages.DeleteRequest, InstanceType<typeof Empty>>(async (request) => {
      const { steps } = this.kindOf(request.getUrn());
      const deployment = this.deploymentFor(request, request.getTimeout());
      await steps.delete(fromStruct(request.getProperties()), deployment, request.getUrn());
      return new Empty();
    }),

    // The engine sends it at the end of every command too.
    cancel: this.handle(() => {
      this.interrupt();
      return new Empty();
    }),
  };

  /** Ends the waits of all steps. */
  interrupt(): void {
    this.cancelling.abort(new ReportedError({ code: "WA1605", what: "The command was interrupted." }));
  }

  private async invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const response = new messages.InvokeResponse();
    const name = request.getTok().slice(packagedTypePrefix.length);
    const lookup = lookups.find((one) => one.name === name);
    const { [secretArgumentsKey]: isSecret, [awaitedKey]: after, ...args } = fromStruct(request.getArgs());
    const log = {
      info: (line: string) => this.log?.info("", this.inOwnWords(line)),
      warn: (line: string) => this.log?.warn("", this.inOwnWords(line)),
    };
    try {
      if (lookup === undefined) throw new LookupFailure(withCode("WA1604", `${name}: unknown look-up.`));
      const result = await this.current().lookups.run(lookup, args, log, {
        // In other languages the plugin is not told what a look-up waited for.
        after: typeof after === "string" ? after : undefined,
        // Nor what is secret.
        isSecret: isSecret !== false,
      });
      response.setReturn(toStruct(result, lookup.secretResults));
    } catch (error) {
      if (!(error instanceof LookupFailure)) throw error;
      const failure = new messages.CheckFailure();
      failure.setReason(this.inOwnWords(error.message));
      response.addFailures(failure);
    }
    return response;
  }

  private current(): Configured {
    if (this.configured === undefined) throw new Error("internal error: the provider is not configured");
    return this.configured;
  }

  private kindOf(urn: string): Served {
    const { type } = partsOfUrn(urn);
    const kind = this.kinds.get(kindOfType(type) ?? "");
    if (kind === undefined)
      throw new ReportedError({
        code: "WA1604",
        what: `This version of the plugin (${this.version}) has no resource ${type}.`,
        next: ["Install the version of pulumi-workspace-apps with which the stack was last updated, or a newer one."],
      });
    return kind;
  }

  /** The deployment as one step sees it. `timeout` is in seconds, from the option customTimeouts; 0: none. */
  private deploymentFor(request: OfResource, timeout = 0): Deployment {
    const urn = request.getUrn();
    const over = new ReportedError({
      code: "WA1606",
      what: `The step did not finish within the ${String(timeout)} s that customTimeouts allows.`,
      next: ["Give the step more time in customTimeouts, or remove the option."],
    });
    const signals = [this.cancelling.signal, ...(timeout > 0 ? [timeoutSignal(timeout, over)] : [])];
    return forStep(this.current().deployment, {
      clock: interruptible(systemClock, signals.length === 1 ? this.cancelling.signal : AbortSignal.any(signals)),
      log: (line) => this.log?.info(urn, this.inOwnWords(line)),
      warn: (line) => this.log?.warn(urn, this.inOwnWords(line)),
      announce: async (line) => this.log?.announce(urn, this.inOwnWords(line)),
    });
  }

  /** An object that exists is saved by the engine although the step failed. */
  private async savingFailure({ secretOutputs }: AnyLifecycle, work: () => Promise<Saved>): Promise<Saved> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SavedFailure)) throw error;
      throw initializationFailure({ message: this.inOwnWords(error.message), saved: error.saved }, secretOutputs);
    }
  }

  /** A message in the words of the settings: the stack's, or a Provider's. */
  private inOwnWords(message: string): string {
    return this.configured?.isOfProvider === true ? inWordsOfProvider(message) : message;
  }

  private handle<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): Handler<Request, Response> {
    return (call, callback) => {
      this.running++;
      void Promise.resolve()
        .then(() => work(call.request))
        .then(
          (response) => ({ error: null, response }),
          (error: unknown) => ({
            error: asGrpcError(error, (message) => this.inOwnWords(message)),
            response: undefined,
          }),
        )
        .then(async ({ error, response }) => {
          await this.log?.flush();
          callback(error, response);
          // The plugin may exit when nothing runs. Before that, the response needs a moment to be written.
          setTimeout(() => {
            this.running--;
            this.onStepEnd();
          }, 50);
        });
    };
  }
}

/** Node's longest timer, almost 25 days. A longer one would end at once. */
const maxMilliseconds = 2 ** 31 - 1;

function timeoutSignal(seconds: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(
    () => {
      controller.abort(reason);
    },
    Math.min(seconds * 1000, maxMilliseconds),
  ).unref();
  return controller.signal;
}

function readSchema(): object {
  return JSON.parse(readFileSync(join(dirname(packageFile), "plugin", "schema.json"), "utf8")) as object;
}
