import assert from "node:assert/strict";
import { kindOfType, partsOfUrn } from "../../provider/pulumi/urn";
import { companions } from "../../provider/registry";
import { eventsIn, type Run } from "../../tools/harness/engine";

/* The result of one resource in a command on many, so that each is tested by itself. */

/** The steps of a command for one resource. */
interface Steps {
  /** `["create"]` */
  done: string[];
  /** The messages of its failures. */
  failures: string[];
}

/**
 * Asserts that a command succeeded for this resource, with these steps where they are given. If the command failed, its
 * error must belong to another resource: an error of no resource, or of the stack, concerns all.
 */
export function assertDoneWith(name: string, run: Run, done?: string[]): void {
  const steps = stepsOf(run);
  const own = steps.get(name) ?? { done: [], failures: [] };
  assert.deepEqual(own.failures, []);
  if (done !== undefined) assert.deepEqual(own.done, done);
  const isOthers = [...steps.values()].some(({ failures }) => failures.length > 0);
  if (run.code !== 0 && !isOthers) assert.fail(run.output);
}

/** Asserts that a command failed for this resource with this message. */
export function assertFailedWith(name: string, run: Run, words: RegExp): void {
  assert.match(failuresOf(name, run).join("\n"), words);
}

/** The failures that a command reported for this resource. */
export function failuresOf(name: string, run: Run): string[] {
  return stepsOf(run).get(name)?.failures ?? [];
}

/** A crashed program is a failure of the stack. Every failure of a resource is also reported for the stack. */
const stackType = "pulumi:pulumi:Stack";

/** Its steps follow those of its resource, whose name it has. Its failures count as those of the resource. */
export function isCompanion(urn: string): boolean {
  return Object.hasOwn(companions, kindOfType(partsOfUrn(urn).type) ?? "");
}

/** By the names of the resources, without the stack. */
function stepsOf({ output }: Run): Map<string, Steps> {
  const all = new Map<string, Steps>();
  const of = (urn: string): Steps => {
    const { name, type } = partsOfUrn(urn);
    const steps = all.get(name) ?? { done: [], failures: [] };
    if (type !== stackType) all.set(name, steps);
    return steps;
  };
  for (const { resOutputsEvent, resOpFailedEvent, diagnosticEvent } of eventsIn(output)) {
    if (resOutputsEvent !== undefined && !isCompanion(resOutputsEvent.metadata.urn))
      of(resOutputsEvent.metadata.urn).done.push(resOutputsEvent.metadata.op);
    if (resOpFailedEvent !== undefined) of(resOpFailedEvent.metadata.urn).failures.push(resOpFailedEvent.metadata.op);
    if (diagnosticEvent?.severity === "error" && diagnosticEvent.urn !== undefined)
      of(diagnosticEvent.urn).failures.push(diagnosticEvent.message);
  }
  return all;
}
