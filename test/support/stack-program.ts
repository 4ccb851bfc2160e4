/* The program of a stack with the resources that each kind's fixture declares. */
import type { StoredObjects } from "../../simulator";
import { kindFixtures } from "./kind-fixtures";
import { lookupFixtures } from "./lookup-fixtures";
import { type ArgumentParts, Source, sourceOf } from "./program-source";

type Text = ArgumentParts["text"];

/** Where a text is no secret of a test, it is its own name, in a form that a URL takes. */
const ownName = (path: string): string => path.replaceAll(" ", "-");
const ownText: Text = (path, before = "") => new Source(`${sourceOf(before)} + ${sourceOf(ownName(path))}`);

/** Declares all resources as members of `made`. The code around it defines `pulumi`, `apps`, `label` and `made`. */
export function declarations(text = ownText): string {
  const all = Object.entries(kindFixtures).flatMap(([kind, { stack }]) =>
    Object.entries(stack.resources(parts(text))).map(([name, args]) => declaration(kind, name, args)),
  );
  return all.join("\n");
}

function declaration(kind: string, name: string, args: object): string {
  return `made[${sourceOf(name)}] = new apps.${kind}(${sourceOf(name)}, ${sourceOf(args)});`;
}

/** Calls every look-up. `hidden` takes the place of the first argument, unless the result itself has secrets. */
export function lookupCalls(hidden?: Source): string {
  const all = lookupFixtures.map(({ lookup: { name, secretResults }, args }) => {
    const first = hidden === undefined || secretResults !== undefined ? {} : { [Object.keys(args)[0] ?? ""]: hidden };
    return `made[${sourceOf(name)}] = apps.${name}Output(${sourceOf({ ...args, ...first })});`;
  });
  return all.join("\n");
}

/** Puts into the service what the resources adopt. */
export function furnish(objects: StoredObjects, text = ownName): void {
  for (const { stack } of Object.values(kindFixtures)) stack.existing?.(objects, text);
}

/** Puts into the service what the look-ups find, where `hidden` is the first argument. */
export function furnishLookups(objects: StoredObjects, text: (path: string) => string, hidden: string): void {
  for (const { lookup, args, existing } of lookupFixtures)
    existing?.(objects, lookup.secretResults === undefined ? hidden : String(Object.values(args)[0]), text);
}

function parts(text: Text): ArgumentParts {
  const secret = (value: unknown): Source => new Source(`pulumi.secret(${sourceOf(value)})`);
  return { label: new Source("label"), isChanged: new Source(`label === "changed"`), text, secret };
}
