/* A program with a secret on every possible path, and the service's response for each. */
import type { OperationId } from "../../provider/service/operations";
import type { RequestFault, Simulator } from "../../simulator";
import type { Canaries } from "./canaries";
import { awkward, kindFixtures } from "./kind-fixtures";
import { Source, sourceOf } from "./program-source";
import { declarations, furnish, furnishLookups, lookupCalls } from "./stack-program";

export type SecretStack = ReturnType<typeof secretStack>;

export function secretStack(canaries: Canaries) {
  const accessToken = canaries.make("access token", "+/=");
  const apiKey = canaries.make("API key", "._~");
  const credentials = [accessToken, apiKey, encodeURIComponent(accessToken), JSON.stringify(apiKey)];
  /** By the path that each takes. */
  const secrets: Record<string, string> = {};
  const text = (path: string, inside = awkward): string => (secrets[path] ??= canaries.make(path, inside));
  const inProgram = (path: string, before: string | Source = "", inside?: string): Source => {
    text(path, inside);
    return new Source(`${sourceOf(before)} + secrets[${sourceOf(path)}]`);
  };
  const lookedUp = "argument of a look-up";

  return {
    accessToken,
    apiKey,
    secrets,

    /** LABEL changes the resources, RUN only the controls. */
    program: `
      const pulumi = require("@pulumi/pulumi");
      const apps = require("pulumi-workspace-apps");
      const secrets = JSON.parse(process.env["SECRETS"]);
      const { LABEL: label, RUN: run } = process.env;
      const made = module.exports = {};
      ${declarations(inProgram)}
      ${lookupCalls(new Source(`pulumi.secret(${inProgram(lookedUp, "", "-").code})`))}

      // Not code of this package: only Pulumi prints its secrets. One is changed, one is replaced.
      class Control extends pulumi.dynamic.Resource {
        constructor(name, args) {
          super(
            { create: async (outs) => ({ id: "1", outs }), update: async (id, olds, outs) => ({ outs }) },
            name,
            { ...args, pin: pulumi.secret(${inProgram("control").code}) },
          );
        }
      }
      made.controls = [new Control("changed-control", { run }), new Control("new-control-" + run, {})];
    `,

    /** Fills the service before the first command. */
    furnish({ objects }: Simulator): void {
      furnish(objects, text);
      furnishLookups(objects, text, text(lookedUp));
    },

    /** Changes by somebody else in the service. */
    drift({ objects }: Simulator): void {
      for (const { stack } of Object.values(kindFixtures)) stack.drift?.(objects, text);
    },

    /** The next response of each operation is a refusal that repeats the credentials and the secrets of the object. */
    refuse(simulator: Simulator, operations: readonly OperationId[], status = 403, more?: Partial<RequestFault>): void {
      for (const operation of operations) {
        const [area] = operation.split(".");
        const { stack } =
          Object.values(kindFixtures).find(({ lives }) => lives[0].create.some((id) => id.split(".")[0] === area)) ??
          {};
        const detail = ["Refused", ...credentials, ...(stack?.told?.(text) ?? [])].join(" | ");
        simulator.fault({ operation, then: { status, body: { detail } }, ...more });
      }
    },
  };
}
