import type { IncomingHttpHeaders } from "node:http";

/** The names of this machine that a browser does not look up. */
const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Whether a browser sent the request for a page that is not the simulator's own. Any page that a user visits can send
 * requests to this machine, and the control interface needs no credential. Clients that are no browsers send neither
 * `Origin` nor `Sec-Fetch-Site`.
 */
export function isOfAnotherOrigin(headers: IncomingHttpHeaders, hosts: readonly string[] = []): boolean {
  const { host, origin } = headers;
  const site = headers["sec-fetch-site"];
  if (host !== undefined && ![...loopbackNames, ...hosts].includes(nameIn(host))) return true;
  if (origin !== undefined && ![`http://${host ?? ""}`, `https://${host ?? ""}`].includes(origin)) return true;
  // "none": the user entered the address.
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/**
 * The name in a `Host` header. By its own name, a hostile page could reach the simulator without any of the other headers:
 * it makes its name server answer with 127.0.0.1 (DNS rebinding). The port does not matter, and a tunnel may have another.
 */
function nameIn(host: string): string {
  return host.replace(/:\d*$/, "").toLowerCase();
}

export const otherOriginAnswer = {
  code: "origin_not_allowed",
  message: "The simulator accepts requests only from its own page and from programs that are not browsers.",
};
