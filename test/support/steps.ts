import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { eventsIn, type Run } from "../../tools/harness/engine";

/*
 * Of a command on many resources, what concerns one of them: so that each is tested by itself.
 */

/** What a command did to a resource. */
interface Steps {
  /** `["create"]` */
  done: string[];
  /** What it said where it failed. */
  failures: string[];
}

/**
 * Asserts that a command did what it was to do with this resource, and these steps where they are given. Where it failed
 * with others, it must have said so of them: what is said of none, or of the stack, concerns all.
 */
export function assertDoneWith(name: string, run: Run, done?: string[]): void {
  const steps = stepsOf(run);
  const own = steps.get(name) ?? { done: [], failures: [] };
  assert.deepEqual(own.failures, []);
  if (done !== undefined) assert.deepEqual(own.done, done);
  const isOthers = [...steps.values()].some(({ failures }) => failures.length > 0);
  if (run.code !== 0 && !isOthers) assert.fail(run.output);
}

/** Asserts that a command failed with this resource, in these words. */
export function assertFailedWith(name: string, run: Run, words: RegExp): void {
  assert.match(stepsOf(run).get(name)?.failures.join("\n") ?? "", words);
}

/** A program that crashed is a failure of the stack; and whatever failed, the command says so of the stack once more. */
const stackType = "pulumi:pulumi:Stack";

/** By the names of the resources, the stack left out. */
function stepsOf({ output }: Run): Map<string, Steps> {
  const all = new Map<string, Steps>();
  const of = (urn: string): Steps => {
    const { name, type } = partsOfUrn(urn);
    const steps = all.get(name) ?? { done: [], failures: [] };
    if (type !== stackType) all.set(name, steps);
    return steps;
  };
  for (const { resOutputsEvent, resOpFailedEvent, diagnosticEvent } of eventsIn(output)) {
    if (resOutputsEvent !== undefined) of(resOutputsEvent.metadata.urn).done.push(resOutputsEvent.metadata.op);
    if (resOpFailedEvent !== undefined) of(resOpFailedEvent.metadata.urn).failures.push(resOpFailedEvent.metadata.op);
    if (diagnosticEvent?.severity === "error" && diagnosticEvent.urn !== undefined)
      of(diagnosticEvent.urn).failures.push(diagnosticEvent.message);
  }
  return all;
}
