import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/*
 * The keys of the tested stacks. With a passphrase, every `pulumi` command would derive its key in a million rounds, and
 * take half a second for it. So the stacks are encrypted by keys from a Vault, and this stands in for it.
 */

/** For `pulumi stack init --secrets-provider`. */
export const secretsProvider = "hashivault://tests";

/** Before the plaintext, it makes a ciphertext. */
const prefix = "vault:v1:";

let server: Server | undefined;

/** Starts the Vault, and sets the variables by which every `pulumi` command of this process and its children finds it. */
export async function startVault(): Promise<void> {
  const started = createServer((request, response) => {
    void json(request).then((body) => {
      const { plaintext, ciphertext } = body as { plaintext?: string; ciphertext?: string };
      const data =
        ciphertext === undefined
          ? { ciphertext: `${prefix}${plaintext ?? ""}` }
          : { plaintext: ciphertext.slice(prefix.length) };
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
  server = started;
  process.env["VAULT_SERVER_URL"] = `http://127.0.0.1:${String((started.address() as AddressInfo).port)}`;
  process.env["VAULT_SERVER_TOKEN"] = "tests";
}

export function stopVault(): void {
  server?.close();
}
