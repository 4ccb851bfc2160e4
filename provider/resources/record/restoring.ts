import type { Service } from "../../service/client";
import { Refusal } from "../../service/errors";
import { unlessGone } from "../evidence";
import { fieldsThatDiffer, picked } from "../meaning";
import { changedByOthers, claimOf, get, type State, type Wire } from "./state";
import { write } from "./writing";

/** Puts the values found at adoption back, only of the managed fields, and only where nobody changed them since. */
export async function restore(state: State, service: Service, say: (line: string) => void): Promise<void> {
  const { valuesFound } = state;
  if (valuesFound === undefined) throw new Refusal(`The ${claimOf(state)} was not adopted. ${instead}`);
  if (!service.can("record.get")) throw new Refusal(`${service.endpoints.unavailable("record.get")} ${instead}`);
  const wire = await unlessGone(service, state.readBy, () => get(state, service));
  if (wire === undefined) return;
  const { left, back } = parted(state, wire);
  const who = state.unconfirmed === true ? "others, or a write whose answer was lost," : "others";
  if (left.length > 0)
    say(`Of the ${claimOf(state)} ${who} changed ${left.join(", ")} since \`pulumi up\` wrote it: left as it is now.`);
  if (back.length === 0) return;
  const values = picked(valuesFound, back);
  const lost = fieldsThatDiffer(values, await write(state, values, service));
  if (lost.length > 0)
    throw new Refusal(
      `The service did not take back the values found at adoption in ${lost.join(", ")} of the ${claimOf(state)}. ${instead}`,
    );
  say(`The ${claimOf(state)} has the values found at adoption again in ${back.join(", ")}.`);
}

/** The fields that no longer have the value found at adoption: those of others, and those to put back. */
function parted(state: State, wire: Wire): { left: string[]; back: string[] } {
  const others = changedByOthers(state, wire);
  const changed = fieldsThatDiffer(state.valuesFound ?? {}, wire);
  return {
    left: changed.filter((name) => others.includes(name)),
    back: changed.filter((name) => !others.includes(name)),
  };
}

const instead = 'Set deletionPolicy to "delete" or "retain", run `pulumi up`, then destroy.';
