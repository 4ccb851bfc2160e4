import assert from "node:assert/strict";
import { z } from "zod";
import { help } from "../../cli/simulator/help";
import { hasBody } from "../../simulator/control/route";
import { controlRoutes } from "../../simulator/control/routes";
import { bearer, onSimulator } from "./support";

/** The top-level names of an input, in each of its forms. */
function parametersOf(input: z.ZodType): string[] {
  const { properties, anyOf = [] } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const names = [properties, ...anyOf.map((form) => (typeof form === "object" ? form.properties : undefined))];
  return names.flatMap((named) => Object.keys(named ?? {}));
}

/** The control routes that a help text shows. */
function routesIn(help: string): { endpoint: string; examples: unknown[] }[] {
  const routes: ReturnType<typeof routesIn> = [];
  for (const line of help.split("\n")) {
    const [, endpoint] = /^ {2}((?:GET|PUT|POST|DELETE) \S+)$/.exec(line) ?? [];
    const [, example] = /^ {6}([?[{].*)$/.exec(line) ?? [];
    if (endpoint !== undefined) routes.push({ endpoint, examples: [] });
    if (example !== undefined)
      routes
        .at(-1)
        ?.examples.push(
          example.startsWith("?") ? Object.fromEntries(new URLSearchParams(example)) : JSON.parse(example),
        );
  }
  return routes;
}

describe("The table of control routes", () => {
  const { simulator, post } = onSimulator();

  it("contains no endpoint twice", () => {
    const endpoints = controlRoutes.map(({ endpoint }) => endpoint);
    assert.deepEqual(endpoints, [...new Set(endpoints)]);
  });

  it("is in the help, every route with its examples", () => {
    const table = controlRoutes.map(({ endpoint, examples = [] }) => ({ endpoint, examples }));
    assert.deepEqual(routesIn(help), table);
  });

  for (const { endpoint, description, input, examples = [] } of controlRoutes)
    if (input !== undefined)
      it(`shows every parameter of ${endpoint}`, () => {
        assert.ok(examples.length > 0);
        const shown = JSON.stringify(examples) + description;
        for (const name of parametersOf(input)) assert.match(shown, new RegExp(`["\`]${name}["\`]`));
      });

  for (const { endpoint, examples = [{}] } of controlRoutes)
    it(`has working examples of ${endpoint}`, async () => {
      simulator.objects.putWebhook("a", { id: "w" });
      simulator.objects.putTest("a", { id: "f" });
      const headers = { ...bearer("full-access-token"), "idempotency-key": "k" };
      await post("/api/apps/a/coding-sessions", { prompt: "p", title: "t" }, headers);
      const [method = "", path = ""] = endpoint.split(" ");
      for (const example of examples) {
        const query = hasBody(endpoint) ? "" : `?${new URLSearchParams(example as Record<string, string>).toString()}`;
        const body = hasBody(endpoint) && example !== undefined ? JSON.stringify(example) : null;
        const url = `${simulator.url}/__simulator/${path}${query}`;
        const reply = await fetch(url, { method, body });
        assert.equal(reply.status, 200, url);
        // Not read to its end: events have none.
        await reply.body?.cancel();
      }
    });
});
