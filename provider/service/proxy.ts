import { isLoopback } from "./public-url";
import { parseUrl, unescaped } from "./urls";

/** A proxy that the environment names. */
export interface Proxy {
  /** Its address without credentials, as it may be shown. */
  readonly address: string;
  /** The environment variable that names it. */
  readonly variable: string;
  /** The value of the header `Proxy-Authorization`; secret. */
  readonly authorization?: string;
}

/** The proxy as it may be shown: `http://proxy.example:3128 (HTTPS_PROXY)`. */
export function nameOf({ address, variable }: Proxy): string {
  return `${address} (${variable})`;
}

/** The first that is set is used. Lower case wins, as in curl; http_proxy is the fallback, as in undici. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];
const exceptionVariables = ["no_proxy", "NO_PROXY"];

/**
 * The proxy through which an address is reached; undefined for a direct connection. A loopback address is on this machine,
 * which no proxy can reach. Plain http is allowed nowhere else, so every proxied request goes through a tunnel: an
 * ordinary proxy reads no request, and cannot repeat one.
 */
export function proxyFor(address: string, environment: NodeJS.ProcessEnv): Proxy | undefined {
  const url = new URL(address);
  const isSet = (name: string) => environment[name] !== undefined && environment[name] !== "";
  const variable = proxyVariables.find(isSet);
  if (variable === undefined || url.protocol !== "https:" || isLoopback(url.hostname)) return undefined;
  if (isExcluded(url, environment[exceptionVariables.find(isSet) ?? ""] ?? "")) return undefined;
  const value = environment[variable] ?? "";
  const proxy = parseUrl(value.includes("://") ? value : `http://${value}`);
  // The value may hold a password.
  if (proxy === undefined || !["http:", "https:"].includes(proxy.protocol))
    throw new Error(`${variable} is not the address of an http or https proxy`);
  const authorization = authorizationOf(proxy);
  return { address: proxy.origin, variable, ...(authorization === undefined ? {} : { authorization }) };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const credentials = [username, password].map(unescaped).join(":");
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** Whether NO_PROXY names a host, or a domain above it, with or without a port; `*` names every host. */
function isExcluded({ hostname, port }: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => (/:.*:/.test(entry) && !entry.startsWith("[") ? `[${entry}]` : entry))
    .some((entry) => {
      const [, name = "", ownPort = ""] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === "" || (ownPort !== "" && ownPort !== (port || "443"))) return false;
      return name === "*" || hostname === name || hostname.endsWith(`.${name}`);
    });
}
