import assert from "node:assert/strict";
import type { AnyLookup } from "../../provider/registry";
import { Canaries } from "../support/canaries";
import { lookupFixtures } from "../support/lookup-fixtures";
import { onService } from "./support";

const canaries = new Canaries();
const accessToken = canaries.make("token", "+/=");
const apiKey = canaries.make("key", `"~`);
const secret = canaries.make("argument", "ü /+%");

/** The secret in the place of every text that may be any. */
function withSecret({ args: schema }: AnyLookup, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isAny = (name: string): boolean => schema.safeParse({ ...args, [name]: secret }).success;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, isAny(name) ? secret : value]));
}

describe("A secret that the service repeats to a look-up", () => {
  const { failure, lines, simulator } = onService({ accessToken, apiKey });

  for (const { lookup, args } of lookupFixtures)
    it(`is not shown by ${lookup.name}`, async () => {
      const own = [accessToken, apiKey, secret];
      const texts = [...own, ...own.map(encodeURIComponent), ...own.map((text) => JSON.stringify(text))];
      const all = texts.join(" | ");
      for (const then of [
        { status: 403, body: { detail: all } },
        { status: 422, body: { detail: texts.map((msg) => ({ loc: ["query", msg], msg, type: "x" })) } },
        { status: 500, body: `<html>${all}</html>` },
        { status: 200, body: { [all]: texts } },
      ]) {
        simulator.clearFaults();
        simulator.fault({ operation: lookup.operation, times: "always", then });
        const shown = [await failure(lookup, withSecret(lookup, args), true), ...lines.said, ...lines.warned];
        assert.deepEqual(canaries.foundIn(shown.join("\n")), [], shown.join("\n"));
      }
    });
});
