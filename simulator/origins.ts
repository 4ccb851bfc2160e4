import type { IncomingMessage } from "node:http";

/** The names of this machine that a browser does not look up. */
const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/** The body of a 403. */
interface OriginRefusal {
  code: string;
  message: string;
}

/**
 * Why a request is refused, if a browser sent it for a page that is not the simulator's own. Any page that a user visits
 * can send requests to this machine, and the control interface needs no credential. Clients that are no browsers send
 * neither `Origin` nor `Sec-Fetch-Site`.
 */
export function originRefusal(incoming: IncomingMessage, hosts: readonly string[] = []): OriginRefusal | undefined {
  const { host, origin, "sec-fetch-site": site } = incoming.headers;
  if (host !== undefined && ![...loopbackNames, ...hosts].includes(nameIn(host))) return foreignHost(host);
  if (origin !== undefined && ![`http://${host ?? ""}`, `https://${host ?? ""}`].includes(origin)) return otherOrigin;
  // "none": the user entered the address.
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  return isOwn || opensThePage(incoming) ? undefined : otherOrigin;
}

/** Whether the user follows a link to the simulator's page. The page that has the link cannot read or frame it. */
function opensThePage({ method, url = "", headers }: IncomingMessage): boolean {
  const isDocument = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return isDocument && method === "GET" && /^\/__simulator\/?(\?|$)/.test(url);
}

/**
 * The name in a `Host` header. By its own name, a hostile page could reach the simulator without any of the other headers.
 * It makes its name server answer with 127.0.0.1 (DNS rebinding). The port does not matter, and a tunnel may have another.
 */
function nameIn(host: string): string {
  return host.replace(/:\d*$/, "").toLowerCase();
}

const otherOrigin: OriginRefusal = {
  code: "origin_not_allowed",
  message: "The simulator accepts requests only from its own page and from programs that are not browsers.",
};

function foreignHost(host: string): OriginRefusal {
  const advice = "Use 127.0.0.1 or localhost, or give the name to startSimulator as `hosts`.";
  return { code: "host_not_allowed", message: `The simulator does not accept the host "${nameIn(host)}". ${advice}` };
}
