import type * as Pulumi from "@pulumi/pulumi";

/** Whether a test runs the program with `pulumi.runtime.setMocks`. Mocks are not part of the SDK's public types. */
export function hasMocks({ runtime }: typeof Pulumi): boolean {
  const monitor: object | undefined = runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}
