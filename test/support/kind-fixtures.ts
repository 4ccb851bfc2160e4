import type { KindName } from "../../provider/registry";
import { kindNames } from "../../provider/registry";
import type { OperationId } from "../../provider/service/operations";
import type { AdvertisingAccount, Simulator, StoredObjects } from "../../simulator";
import type { Canaries } from "./canaries";
import type { Deployment } from "../../provider/resources/shared/deployment";
import type { Bench } from "./deployment";
import type { ArgumentParts } from "./program-source";

/* Facts about one kind for the tests over all kinds: `test/fixtures/kinds/<kind>.ts`, by the kind's name. */

type Args = Readonly<Record<string, unknown>>;

export interface KindFixture {
  /** The minimum that a program declares for a new object. */
  readonly args: Args;
  /** All valid arguments that can be given together. */
  readonly allArgs: Args;
  /** A change of `allArgs` that is made in place, or replaces. */
  readonly change: Args;
  /** The arguments that become segments of a path, without the one that adopts. */
  readonly idArguments: readonly string[];
  /** Ids that are longer are refused. */
  readonly maxIdLength?: number;
  /** Creates what comes before it in a program. Returns the arguments that name that. */
  readonly before?: (args: Args, deployment: Deployment) => Promise<Args>;
  /** How an existing object is adopted. Absent if the kind cannot adopt. */
  readonly adoption?: {
    /** The argument that adopts, and a value for it. */
    readonly by: Args;
    /** All other arguments, if they differ from `args`. */
    readonly args?: Args;
    /** Absent if the argument that adopts is the object's id. */
    readonly isFlag?: true;
  };
  /** Whether a program sends its location to the host: always, or only when it adopts. */
  readonly placeIsTold: "always" | "adopted";
  /** The operations of its lifecycle, one command for each step. */
  readonly lives: readonly [Life, ...Life[]];
  /** The secrets in its arguments or its object. Absent if there are none. */
  readonly secrets?: (canaries: Canaries) => Secrets;
  /** Its part of a stack with all kinds, for the tests of secrecy, upgrades and types on the engine. */
  readonly stack: StackPart;
}

/** By the name of the path that the text takes through a stack. */
type Text = (path: string) => string;

/** The objects of the service, with the advertising accounts of apps that have campaigns. */
export type Content = ReturnType<StoredObjects["all"]> & { readonly accounts: Record<string, AdvertisingAccount> };

interface StackPart {
  /** The arguments of its resources, by name: created and adopted, with every secret, changed by another label. */
  readonly resources: (parts: ArgumentParts) => Readonly<Record<string, Args>>;
  /** Puts into the service what they adopt or need. */
  readonly existing?: (objects: StoredObjects, text: Text) => void;
  /** The secrets that each of its objects has, and the service may repeat. */
  readonly told?: (text: Text) => string[];
  /** Changes secrets in the service. */
  readonly drift?: (objects: StoredObjects, text: Text) => void;
}

/** The operations of each step, in order. */
interface Life {
  /** Its special property. */
  readonly title?: string;
  /** Besides the fixture's `args`. */
  readonly args?: Args;
  /** Creates an object, and returns the arguments that adopt it. */
  readonly existing?: (simulator: Simulator) => Args;
  readonly create: readonly [OperationId, ...OperationId[]];
  readonly change?: Args;
  readonly update?: readonly OperationId[];
  readonly read: readonly OperationId[];
  readonly delete: readonly OperationId[];
}

interface Secrets {
  /** Values that the service knows about an object, and may repeat. */
  readonly told: readonly string[];
  /** The arguments of such an object, and a change of them. */
  readonly args: Args;
  readonly change?: Args;
  /** The secrets that the service made. */
  readonly known?: (state: Args) => readonly string[];
  /** Other ways to an operation than the usual one of its step in the life. */
  readonly steps?: Readonly<Partial<Record<OperationId, SecretStep>>>;
}

/** Creates what must exist, calls `fail` with further secrets to make an operation fail from now on, and calls it. */
export type SecretStep = (bench: Bench, fail: (...known: readonly string[]) => void) => Promise<unknown>;

/** Unusual spellings: JSON, URLs and shells escape each of these differently. */
export const awkward = ` "ü\\/+%&=`;

function load(kind: KindName): KindFixture {
  const file = kind.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- By name, so that a kind without a fixture fails.
  const { fixture } = require(`../fixtures/kinds/${file}`) as { fixture?: KindFixture };
  if (fixture === undefined) throw new Error(`test/fixtures/kinds/${file}.ts exports no fixture.`);
  return fixture;
}

export const kindFixtures = Object.fromEntries(kindNames.map((kind) => [kind, load(kind)])) as Record<
  KindName,
  KindFixture
>;

/** The arguments of an object, after what comes before it in a program was created. */
export async function prepared(kind: KindName, args: Args, deployment: Deployment): Promise<Args> {
  return { ...args, ...(await kindFixtures[kind].before?.(args, deployment)) };
}

/** The arguments that adopt an object, or undefined if the kind cannot adopt. */
export function adoptingArgs({ args, adoption }: KindFixture): Args | undefined {
  return adoption && { ...args, ...adoption.args, ...adoption.by };
}
